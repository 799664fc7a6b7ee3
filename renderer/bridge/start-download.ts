/** Has the browser fetch a file that the host holds ready; the host's answer says that it is to be saved. */
export function startDownload(href: string, name: string): void {
  const link = document.createElement('a');
  link.href = href;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
}
