import { useEffect, useRef } from 'react';
import { defaultVisionOptions, type FrameArea } from '../../../shared/vision/vision-options.ts';
import { useUiState } from '../../app/app-context.ts';
import { throttleWithVideo } from '../../app/frame-tick.ts';
import { previewArea } from './crop-area.ts';

/** The live preview, with the area outside the crop darkened. */
export function LivePicture({ stream }: { readonly stream: MediaStream }) {
  const frozen = useUiState(({ frozen }) => frozen);
  const crop = useUiState(({ visionUi }) => visionUi.crop);
  const choosing = useUiState(({ visionUi }) => visionUi.cropping);
  const transform = usePreviewTransform();
  const cropArea = crop === undefined || choosing ? undefined : previewArea(crop, transform);
  return (
    <div className="capture-live">
      <StreamPicture stream={stream} frozen={frozen} />
      {cropArea !== undefined && <div className="capture-part" style={areaStyle(cropArea)} />}
    </div>
  );
}

interface StreamProps {
  readonly stream: MediaStream;
  readonly frozen?: boolean;
}

export function StreamPicture({ stream, frozen = false }: StreamProps) {
  const video = useRef<HTMLVideoElement>(null);
  const { mirror, flip } = usePreviewTransform();
  useEffect(() => {
    const element = video.current;
    if (element === null) return undefined;
    if (element.srcObject !== stream) element.srcObject = stream;
    if (frozen) element.pause();
    // play() rejects if the stream has just ended; there is nothing to do then.
    else element.play().catch(() => undefined);
    return frozen ? undefined : throttleWithVideo();
  }, [stream, frozen]);
  return <video ref={video} data-mirror={mirror} data-flip={flip} muted playsInline />;
}

export function areaStyle(area: FrameArea) {
  return {
    left: percent(area.left),
    top: percent(area.top),
    width: percent(area.width),
    height: percent(area.height),
  };
}

function percent(fraction: number): string {
  return `${fraction * 100}%`;
}

/** Users expect a mirror of themselves, but mirrored screen text is unreadable. */
export function usePreviewTransform(): { readonly mirror: boolean; readonly flip: boolean } {
  const isCamera = useUiState(({ visionUi }) => visionUi.source.kind === 'camera');
  const mirror = useUiState(
    ({ settings }) => settings?.vision.mirror ?? defaultVisionOptions.mirror,
  );
  const flip = useUiState(({ settings }) => settings?.vision.flip ?? defaultVisionOptions.flip);
  return { mirror: isCamera && mirror, flip: isCamera && flip };
}

interface JpegPictureProps {
  readonly jpeg: Uint8Array;
  readonly alt: string;
  readonly onDrawn?: (picture: HTMLImageElement) => void;
}

export function JpegPicture({ jpeg, alt, onDrawn }: JpegPictureProps) {
  const picture = useRef<HTMLImageElement>(null);
  useEffect(() => {
    if (picture.current === null) return undefined;
    const url = URL.createObjectURL(new Blob([new Uint8Array(jpeg)], { type: 'image/jpeg' }));
    picture.current.src = url;
    return () => URL.revokeObjectURL(url);
  }, [jpeg]);
  return (
    <img
      ref={picture}
      alt={alt}
      onLoad={onDrawn && (({ currentTarget }) => onDrawn(currentTarget))}
    />
  );
}
