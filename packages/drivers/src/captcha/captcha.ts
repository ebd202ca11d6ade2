/** What is shown to a visitor, and what is kept to judge the answer by. The kept part never reaches the visitor. */
export type CaptchaTask<Shown> = { shown: Shown; kept: Record<string, unknown> }

/** One way to tell people from programs. A task is judged once; whoever keeps it sees to that and to its age. */
export interface CaptchaDriver<Shown, Answer> {
  make(): Promise<CaptchaTask<Shown>>
  /** False for every answer but the right one, and for a task that is not this driver's. */
  judge(kept: Record<string, unknown>, answer: Answer): Promise<boolean>
}
