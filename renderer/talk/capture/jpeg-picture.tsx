import { useEffect, useRef } from 'react';

/** A picture from its bytes, which are let go with it. */
export function JpegPicture({ jpeg, alt }: { readonly jpeg: Uint8Array; readonly alt: string }) {
  const picture = useRef<HTMLImageElement>(null);
  useEffect(() => {
    if (picture.current === null) return undefined;
    const made = URL.createObjectURL(new Blob([new Uint8Array(jpeg)], { type: 'image/jpeg' }));
    picture.current.src = made;
    return () => {
      URL.revokeObjectURL(made);
    };
  }, [jpeg]);
  return <img ref={picture} alt={alt} />;
}
