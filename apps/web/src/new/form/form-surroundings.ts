/** What fields know of the page around them. */
export interface FormSurroundings {
  /** Names of the hosts that a parameter may name. */
  readonly hosts: readonly string[];
}
