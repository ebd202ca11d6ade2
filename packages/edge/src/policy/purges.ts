import type { EdgePurgeMark, EdgePurges } from '@fairway/contract'
import { type PurgeDocument, type PurgeTable, purgeHead } from '@fairway/edge-lua'

/** A domain's purges as nginx looks them up. */
export function purgeDocument({ domainId, marks }: EdgePurges): PurgeDocument {
  const tags = marks.filter(({ kind }) => kind === 'tag')
  return {
    domainId,
    marks: tableOf(marks),
    firm: tableOf(marks.filter(({ soft }) => !soft)),
    hasTags: tags.length > 0,
    newestTagAt: Math.max(0, ...tags.map(({ at }) => at)),
    hasUrls: marks.some(({ kind, value }) => kind === 'url' && value.includes('?')),
    hasSoft: marks.some(({ soft }) => soft),
  }
}

function tableOf(marks: EdgePurgeMark[]): PurgeTable {
  const table: PurgeTable = {
    all: 0,
    allOf: {},
    directories: {},
    paths: {},
    urls: {},
    tags: {},
    hasDirectories: marks.some(({ kind }) => kind === 'directory'),
    heads: {},
  }
  for (const { kind, value, at } of marks) {
    if (kind === 'all' && value !== '') put(table.allOf, value, at)
    else if (kind === 'all') table.all = Math.max(table.all, at)
    else
      put(
        kind === 'directory'
          ? table.directories
          : kind === 'tag'
            ? table.tags
            : value.includes('?')
              ? table.urls
              : table.paths,
        value,
        at,
      )
  }
  for (const directory of Object.keys(table.directories)) {
    const head = purgeHead(directory)
    if (head !== undefined) table.heads[head] = true
  }
  return table
}

function put(table: Record<string, number>, value: string, at: number): void {
  table[value] = Math.max(table[value] ?? 0, at)
}
