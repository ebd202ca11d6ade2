import { cssProperties, seriesColor } from '../../ui/charts/series.ts'
import type { Category } from './catalogue.ts'
import classes from './picture.module.css'

type Row = { tag: string; name: string; shares: readonly number[] }

/** Example rows in figures and host names, which need no translation. */
const ROWS: Readonly<Record<Category, readonly Row[]>> = {
  dns: [
    { tag: 'A', name: '@  198.41.0.4', shares: [100] },
    { tag: 'CNAME', name: '*  www.example.com', shares: [100] },
    { tag: 'MX', name: '@  10 mail.example.com', shares: [100] },
    { tag: 'TXT', name: '@  v=spf1 -all', shares: [100] },
  ],
  DEM: [
    { tag: 'DE', name: '28 ms', shares: [82, 12, 6] },
    { tag: 'JP', name: '41 ms', shares: [20, 74, 6] },
    { tag: 'BR', name: '57 ms', shares: [8, 30, 62] },
    { tag: 'IN', name: '63 ms', shares: [48, 40, 12] },
  ],
  'multi-cdn': [
    { tag: '01', name: 'www.example.com', shares: [46, 34, 20] },
    { tag: '02', name: 'img.example.com', shares: [70, 30] },
    { tag: '03', name: 'api.example.com', shares: [100] },
    { tag: '04', name: 'live.example.com', shares: [25, 50, 25] },
  ],
  'origin-shield': [
    { tag: '200', name: 'GET /', shares: [100] },
    { tag: '403', name: "GET /?id=1' OR 1=1", shares: [12] },
    { tag: '429', name: 'POST /login', shares: [34] },
    { tag: '200', name: 'GET /api/items', shares: [100] },
  ],
  stream: [
    { tag: '1080', name: '5.8 Mb/s', shares: [64] },
    { tag: '720', name: '3.0 Mb/s', shares: [86] },
    { tag: '480', name: '1.4 Mb/s', shares: [97] },
    { tag: '360', name: '0.8 Mb/s', shares: [100] },
  ],
  marketplace: [
    { tag: '+', name: 'CDN', shares: [46, 34, 20] },
    { tag: '+', name: 'DNS', shares: [100] },
    { tag: '+', name: 'WAF', shares: [70, 30] },
    { tag: '+', name: 'RUM', shares: [30, 30, 40] },
  ],
  account: [
    { tag: 'A', name: 'ada@example.com', shares: [100] },
    { tag: 'B', name: 'bo@example.com', shares: [74] },
    { tag: 'C', name: 'cy@example.com', shares: [48] },
    { tag: 'D', name: 'di@example.com', shares: [22] },
  ],
}

/** A small example of how it looks. Decoration: what it is stands beside it in words. */
export function Picture({ category }: { category: Category }) {
  return (
    <div className={classes.picture} aria-hidden>
      {ROWS[category].map(({ tag, name, shares }) => (
        <div className={classes.row} key={tag + name}>
          <span className={classes.tag}>{tag}</span>
          <span className={classes.name}>{name}</span>
          <span className={classes.bar}>
            {shares.map((share, at) => (
              <span
                key={String(at)}
                className={classes.part}
                style={cssProperties({ '--series': seriesColor(at + 1), '--share': share })}
              />
            ))}
          </span>
        </div>
      ))}
    </div>
  )
}
