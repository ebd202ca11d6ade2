import type { SeenPost } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { FlushTable } from '../../ui/data-table/flush-table.tsx'
import { Age } from '../../ui/marks/age.tsx'
import classes from './screen.module.css'

/** The last posts of a feed, and what became of them. */
export function FeedPosts({ posts }: { posts: readonly SeenPost[] }) {
  const { t } = useTranslation('outside-feeds')
  const format = useFormat()
  if (posts.length === 0) return <p className={classes.about}>{t('posts.none')}</p>
  return (
    <FlushTable
      label={t('posts.title')}
      head={[
        { key: 'at', text: t('posts.at') },
        { key: 'verdict', text: t('posts.verdict') },
        { key: 'entries', text: t('posts.entries'), number: true },
        { key: 'bytes', text: t('posts.size'), number: true, wide: true },
      ]}
    >
      {posts.map(({ at, refused, problem, entries, verdicts, bytes }, index) => (
        <tr key={`${at} ${index}`}>
          <th scope="row">
            <Age at={new Date(at).toISOString()} />
          </th>
          <td className={classes.verdicts}>
            {refused === null
              ? Object.entries(verdicts)
                  .map(([verdict, count]) =>
                    t(`verdict.${verdict as keyof typeof verdicts}`, { number: format.number(count) }),
                  )
                  .join(' · ')
              : t(`refused.${refused}`)}
            {problem !== null && <span className={classes.problem}>{problem}</span>}
          </td>
          <td className="num" data-number>
            {refused === null ? format.number(entries) : '—'}
          </td>
          <td className="num" data-number data-wide>
            {format.bytes(bytes)}
          </td>
        </tr>
      ))}
    </FlushTable>
  )
}
