import { zoneFiles } from '@fairway/contract'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import type { ImportSource } from './import-source.ts'

const TYPING_MS = 350

/**
 * What the import would do, asked again when the text, the way or the site changes. The path as key makes the site's
 * events touch it.
 */
export function usePreview(siteId: string, source: ImportSource) {
  const [settled] = useDebouncedValue(source, TYPING_MS)
  const shown = source.fileName === null ? settled : source
  const { text, format, mode, revision } = shown
  return useQuery({
    queryKey: [zoneFiles.routes.preview.path, { site: siteId, revision }],
    queryFn: ({ signal }) => api(zoneFiles.routes.preview, { site: siteId, text, format, mode }, signal),
    enabled: text.trim() !== '' && !shown.isLarge,
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
}
