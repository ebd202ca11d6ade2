import { type ComponentType, type ReactNode, Suspense, lazy, useEffect, useRef, useState } from 'react'

/**
 * A drawer or dialog whose program is fetched when it is first opened, so that a page does not wait for what most
 * visits never see:
 * `const InstallDialog = onDemand(async () => (await import('./install-dialog.tsx')).InstallDialog)`.
 */
export function onDemand<Props extends { opened: boolean }>(
  load: () => Promise<ComponentType<Props>>,
): (props: Props) => ReactNode {
  const Layer = lazy(async () => {
    const Loaded = await load()
    return { default: (props: Props) => <Opening layer={Loaded} props={props} /> }
  })
  return function OnDemand(props) {
    const wasOpened = useRef(false)
    if (props.opened) wasOpened.current = true
    return wasOpened.current ? (
      <Suspense fallback={null}>
        <Layer {...props} />
      </Suspense>
    ) : null
  }
}

/** A layer takes note of what had the focus when it goes from closed to open, to give it back: so it begins closed. */
function Opening<Props extends { opened: boolean }>({
  layer: Layer,
  props,
}: {
  layer: ComponentType<Props>
  props: Props
}) {
  const [isThere, setThere] = useState(false)
  useEffect(() => setThere(true), [])
  return <Layer {...props} opened={props.opened && isThere} />
}
