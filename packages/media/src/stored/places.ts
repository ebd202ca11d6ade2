import fs from 'node:fs'
import path from 'node:path'
import { streamKey } from '@fairway/platform'

/** In the folder of a video: where what is not here any more lies. Nobody is asked for it by that name. */
const MARK = '.stored'

export const noteStored = (home: string, place: string): void => fs.writeFileSync(path.join(home, MARK), place)

/** Where the rest of a folder lies; null when all of it is here. */
export const storedIn = (home: string): Promise<string | null> =>
  fs.promises.readFile(path.join(home, MARK), 'utf8').catch(() => null)

export const keyOf = (asset: { id: string; organization_id: string }, name = ''): string =>
  storedKey(streamKey(asset.organization_id), asset.id, name)
export const storedKey = (organizationKey: string, id: string, name: string): string =>
  `videos/${organizationKey}/${id}/${name}`
