import { useTranslation } from 'react-i18next'
import { Card } from '../../ui/page/card.tsx'
import { CodeSnippet } from '../../ui/marks/code-snippet.tsx'
import classes from './verify-snippet.module.css'

const CODE = `import { Webhook } from 'standardwebhooks'

const payload = new Webhook(secret).verify(rawBody, request.headers)
if (payload.type === 'notification.created') console.log(payload.data.title)`

/** How a receiver makes sure that a call is ours. */
export function VerifySnippet() {
  const { t } = useTranslation('webhooks')
  return (
    <Card title={t('verify.title')}>
      <p className={classes.text}>{t('verify.text')}</p>
      <CodeSnippet label="Node.js" code={CODE} />
    </Card>
  )
}
