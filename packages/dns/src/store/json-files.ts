import fs from 'node:fs'
import path from 'node:path'
import { DnsTransfers, ScoresSnapshot } from '@fairway/contract/notices'
import { z } from 'zod'
import { safeFileName, writeWhole } from './files.ts'
import type { Damaged } from './segment-files.ts'

/**
 * Addresses behind a name outside our zones, as last resolved, and until when (epoch ms) they are kept; `ttlSeconds` is
 * the lifetime that was said of them where that is shorter, and no visitor is told a longer one.
 */
export const FlatName = z.object({
  name: z.string(),
  expiresAt: z.number(),
  ttlSeconds: z.number().optional(),
  a: z.array(z.string()),
  aaaa: z.array(z.string()),
})
export type FlatName = z.infer<typeof FlatName>

export function writeScores(folder: string, scores: ScoresSnapshot): Promise<void> {
  return writeWhole(path.join(folder, `${safeFileName(scores.organizationId)}.json`), JSON.stringify(scores))
}

export async function removeScores(folder: string, organizationId: string): Promise<void> {
  await fs.promises.rm(path.join(folder, `${safeFileName(organizationId)}.json`), { force: true })
}

/** The last measurements of every organisation. */
export function readScores(folder: string, damaged: Damaged): ScoresSnapshot[] {
  return fs
    .readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => readJson(path.join(folder, name), ScoresSnapshot, damaged) ?? [])
}

/** Secrets inside are sealed. */
export function writeTransfers(folder: string, transfers: DnsTransfers): Promise<void> {
  return writeWhole(path.join(folder, `${safeFileName(transfers.organizationId)}.json`), JSON.stringify(transfers))
}

export async function removeTransfers(folder: string, organizationId: string): Promise<void> {
  await fs.promises.rm(path.join(folder, `${safeFileName(organizationId)}.json`), { force: true })
}

export function readTransfers(folder: string, damaged: Damaged): DnsTransfers[] {
  return fs
    .readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => readJson(path.join(folder, name), DnsTransfers, damaged) ?? [])
}

export function writeFlatNames(file: string, names: readonly FlatName[]): Promise<void> {
  return writeWhole(file, JSON.stringify(names))
}

export function readFlatNames(file: string, damaged: Damaged): FlatName[] {
  return fs.existsSync(file) ? (readJson(file, FlatName.array(), damaged) ?? []) : []
}

function readJson<T>(file: string, form: z.ZodType<T>, damaged: Damaged): T | null {
  try {
    return form.parse(JSON.parse(fs.readFileSync(file, 'utf8')))
  } catch (error) {
    damaged(file, error)
    return null
  }
}
