import type { Config, Database, OutgoingGate } from '@fairway/platform'
import type { TakenTask } from './task-store.ts'

export type TaskNeeds = {
  config: Config
  gate: OutgoingGate
  database: Database
  task: TakenTask
  signal: AbortSignal
  progress: (now: object) => void
}
