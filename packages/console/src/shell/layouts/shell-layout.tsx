import type { ReactNode } from 'react'
import { Outlet, useSearch } from '@tanstack/react-router'
import { InPieces } from '../../ui/pace/in-pieces.tsx'
import { AddAssetsLayout } from './add-assets-layout.tsx'
import { Shell } from './shell.tsx'

/** The default layout, or the one without navigation when the address asks for it (`layout=addAssets`). */
export function ShellLayout(): ReactNode {
  const { layout } = useSearch({ strict: false })
  return layout === 'addAssets' ? (
    <AddAssets />
  ) : (
    <InPieces>
      <Shell>
        <Outlet />
      </Shell>
    </InPieces>
  )
}

export function AddAssets(): ReactNode {
  return (
    <AddAssetsLayout>
      <Outlet />
    </AddAssetsLayout>
  )
}
