/** What the subscription `attemptLog` carries. Offsets are of the stored, masked bytes. */
export interface LogFrame {
  readonly from: number;
  readonly to: number;
  /** Stored bytes were masked afterwards, or the stream begins anew: what is here is void. */
  readonly reset: boolean;
  readonly text: string;
  /** No more bytes will come. */
  readonly end: boolean;
  /** `text` is no output: it says what is missing between `from` and `to`. */
  readonly gap: boolean;
  /** Changes when stored bytes are masked; given back when the stream is resumed. */
  readonly etag: string;
}
