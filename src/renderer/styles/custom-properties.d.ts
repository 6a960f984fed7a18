import 'react';

declare module 'react' {
  interface CSSProperties {
    /** What a page's CSS needs to know of its content, such as the length of a text. */
    [name: `--${string}`]: string | number | undefined;
  }
}
