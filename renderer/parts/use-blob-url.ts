import { useEffect, useState } from 'react';

/** None while it is being fetched. */
export type BlobUrl =
  | { readonly kind: 'there'; readonly url: string }
  | { readonly kind: 'gone' }
  | undefined;

/** An address for what is read, as long as it is shown. Another `read` is another thing to be read. */
export function useBlobUrl(read: () => Promise<Blob | undefined>): BlobUrl {
  const [url, setUrl] = useState<BlobUrl>();
  useEffect(() => {
    let left = false;
    let made: string | undefined;
    const fetchBlob = async (): Promise<void> => {
      const found = await read();
      if (left) return;
      if (found !== undefined) made = URL.createObjectURL(found);
      setUrl(made === undefined ? { kind: 'gone' } : { kind: 'there', url: made });
    };
    void fetchBlob();
    return () => {
      left = true;
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, [read]);
  return url;
}
