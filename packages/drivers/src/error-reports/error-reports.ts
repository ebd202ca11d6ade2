/** Something that went wrong and that people who look after the installation should know of. */
export type ErrorReport = {
  /** The log's event. */
  event: string
  /** The role, or `console`. */
  source: string
  error: Error | null
  message: string
  /** What helps to find it: ids and names, no texts that people typed. */
  tags: Record<string, string>
  at: Date
}

/** Where errors are told besides the log. Never throws and never holds anything up. */
export type ErrorReports = {
  report(report: ErrorReport): void
  /** Waits until what was told is delivered, or not; for a process that ends. */
  flush(): Promise<void>
}
