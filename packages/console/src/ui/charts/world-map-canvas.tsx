import { type MouseEvent, type PointerEvent, memo, useEffect, useMemo, useRef, useState } from 'react'
import { useFormat } from '../../i18n/format.ts'
import { type MapPaint, changedWinners } from './map-model.ts'
import { MapTooltip, shareRows } from './map-tooltip.tsx'
import { cssProperties, seriesColor } from './series.ts'
import type { WorldMapProps } from './world-map-props.ts'
import classes from './world-map.module.css'
import { type CountryShape, MAP_HEIGHT, MAP_WIDTH, WORLD_SHAPES } from './world-shapes.ts'

type Props = WorldMapProps & { paints: ReadonlyMap<string, MapPaint>; label: string }
type Pointed = { country: string; x: number; y: number; width: number }
type Pulse = { id: number; country: string; series: number }

const MIDDLES = new Map(WORLD_SHAPES.map((shape) => [shape.country, shape]))

/** The drawing, loaded with the atlas only when a map is on the screen. */
export function WorldMapCanvas({ paints, label, selected, onSelect, formatValue, describe }: Props) {
  const format = useFormat()
  const [pointed, setPointed] = useState<Pointed | null>(null)
  const { pulses, ended } = usePulses(paints)
  const dots = useMemo(
    () => WORLD_SHAPES.filter(({ path, country }) => path === null && country !== null && paints.has(country)),
    [paints],
  )

  const point = (event: PointerEvent<SVGSVGElement>) => {
    const country = countryUnder(event)
    if (country === null) return setPointed(null)
    const box = event.currentTarget.getBoundingClientRect()
    setPointed({ country, x: event.clientX - box.left, y: event.clientY - box.top, width: box.width })
  }
  const choose = (event: MouseEvent<SVGSVGElement>) => {
    const country = countryUnder(event)
    if (country !== null && paints.has(country)) onSelect?.(country)
  }
  const pointedPaint = pointed && paints.get(pointed.country)

  return (
    <div className={classes.stage}>
      <svg
        viewBox={`0 0 ${MAP_WIDTH} ${MAP_HEIGHT}`}
        role="img"
        aria-label={label}
        className={classes.map}
        data-selectable={onSelect !== undefined || undefined}
        onPointerMove={point}
        onPointerLeave={() => setPointed(null)}
        onClick={choose}
      >
        <Stripes paints={paints} />
        {WORLD_SHAPES.map(
          (shape, index) =>
            shape.path !== null && (
              <Country
                key={shape.country ?? index}
                shape={shape}
                paint={paints.get(shape.country ?? '')}
                selected={selected !== undefined && shape.country === selected}
                dimmed={selected !== undefined && shape.country !== selected}
              />
            ),
        )}
        {dots.map(({ country, x, y }) => {
          const paint = paints.get(country ?? '')
          return (
            paint && (
              <circle
                key={country}
                cx={x}
                cy={y}
                r={4.4}
                className={classes.small}
                style={paintStyle(paint)}
                data-country={country}
                data-selected={country === selected || undefined}
              />
            )
          )
        })}
      </svg>
      {pulses.length > 0 && (
        <div className={classes.pulses} aria-hidden="true">
          {pulses.map(({ id, country, series }) => {
            const middle = MIDDLES.get(country)
            return (
              middle && (
                <span
                  key={id}
                  className={classes.pulse}
                  style={{
                    left: `${(middle.x / MAP_WIDTH) * 100}%`,
                    top: `${(middle.y / MAP_HEIGHT) * 100}%`,
                    ...cssProperties({ '--series': seriesColor(series) }),
                  }}
                  onAnimationEnd={() => ended(id)}
                />
              )
            )
          })}
        </div>
      )}
      {pointed && pointedPaint && (
        <MapTooltip {...pointed} rows={describe?.(pointed.country) ?? shareRows(pointedPaint, format, formatValue)} />
      )}
    </div>
  )
}

type CountryProps = { shape: CountryShape; paint: MapPaint | undefined; selected: boolean; dimmed: boolean }

/** Figures change every other second, what is painted of them hardly ever. */
const looksTheSame = (one: CountryProps, other: CountryProps): boolean =>
  one.selected === other.selected &&
  one.dimmed === other.dimmed &&
  one.paint?.winner.series === other.paint?.winner.series &&
  one.paint?.second?.series === other.paint?.second?.series &&
  one.paint?.strength === other.paint?.strength

const Country = memo(({ shape, paint, selected, dimmed }: CountryProps) => {
  const path = shape.path ?? ''
  return (
    <g
      data-country={shape.country ?? undefined}
      data-painted={paint !== undefined || undefined}
      data-selected={selected || undefined}
      data-dimmed={dimmed || undefined}
      className={classes.country}
    >
      <path d={path} className={classes.land} style={paint && paintStyle(paint)} />
      {paint?.second && <path d={path} fill={`url(#stripes-${paint.second.series})`} className={classes.stripes} />}
    </g>
  )
}, looksTheSame)

/** One pattern for each second CDN; patterns are found by id within the page. */
function Stripes({ paints }: { paints: ReadonlyMap<string, MapPaint> }) {
  const series = [...new Set([...paints.values()].flatMap(({ second }) => (second ? [second.series] : [])))]
  return (
    <defs>
      {series.map((number) => (
        <pattern
          key={number}
          id={`stripes-${number}`}
          width={7}
          height={7}
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <rect
            width={3}
            height={7}
            className={classes.stripe}
            style={cssProperties({ '--series': seriesColor(number) })}
          />
        </pattern>
      ))}
    </defs>
  )
}

const paintStyle = ({ winner, strength }: MapPaint) =>
  cssProperties({ '--series': seriesColor(winner.series), '--strength': `${strength}%` })

function countryUnder(event: MouseEvent<SVGSVGElement>): string | null {
  const target = event.target instanceof Element ? event.target.closest('[data-country]') : null
  return target?.getAttribute('data-country') ?? null
}

/** A ring over each country whose winner changed since the paint before. */
function usePulses(paints: ReadonlyMap<string, MapPaint>) {
  const before = useRef(paints)
  const counter = useRef(0)
  const [pulses, setPulses] = useState<readonly Pulse[]>([])
  useEffect(() => {
    const changed = changedWinners(before.current, paints)
    before.current = paints
    if (changed.length > 0)
      setPulses((running) => [...running, ...changed.map((change) => ({ ...change, id: counter.current++ }))])
  }, [paints])
  return { pulses, ended: (id: number) => setPulses((running) => running.filter((pulse) => pulse.id !== id)) }
}
