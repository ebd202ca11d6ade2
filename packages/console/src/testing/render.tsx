import { MantineProvider } from '@mantine/core'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { initReactI18next } from 'react-i18next'
import { makeQueryClient } from '../api/query-client.ts'
import { loadCatalog } from '../i18n/catalogs.ts'
import { READING, i18n } from '../i18n/i18n.ts'
import { LAYERS_ID, cssVariablesResolver, theme } from '../ui/look/theme.ts'

const en = await loadCatalog('en')
await i18n.use(initReactI18next).init({
  lng: 'en',
  resources: { en },
  ns: Object.keys(en),
  interpolation: { escapeValue: false },
  ...READING,
})

/** Renders inside of what every screen stands in: texts in English, theme, queries, a place for layers. */
export function renderPart(part: ReactNode, queryClient: QueryClient = makeQueryClient(() => {})) {
  return {
    queryClient,
    ...render(
      <QueryClientProvider client={queryClient}>
        <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} env="test">
          {part}
          <div id={LAYERS_ID} />
        </MantineProvider>
      </QueryClientProvider>,
    ),
  }
}
