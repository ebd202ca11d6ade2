// Runs in the payment provider's own frame. It speaks with the console by messages: `fairway-pay:submit` in, `fairway-pay:<what>` out; never a word of the card.
const TEXTS = {
  en: {
    number: 'Card number',
    expiry: 'Expiry',
    cvc: 'CVC',
    hint: 'Test mode: no money moves. Only published test numbers are taken, such as 4242 4242 4242 4242 with any future date and CVC.',
  },
  zhHant: {
    number: '卡號',
    expiry: '到期日',
    cvc: '安全碼',
    hint: '測試模式：不會實際扣款。僅接受公開的測試卡號，例如 4242 4242 4242 4242，搭配任一未來日期與安全碼。',
  },
  zhHans: {
    number: '卡号',
    expiry: '有效期',
    cvc: '安全码',
    hint: '测试模式：不会实际扣款。仅接受公开的测试卡号，例如 4242 4242 4242 4242，搭配任意未来日期和安全码。',
  },
}
const LANGS = { en: 'en', zhHant: 'zh-Hant', zhHans: 'zh-Hans' }
const FIELD_OF = {
  incorrect_number: 'number',
  invalid_number: 'number',
  card_not_supported: 'number',
  expired_card: 'expiry',
  invalid_expiry_month: 'expiry',
  invalid_expiry_year: 'expiry',
  incorrect_cvc: 'cvc',
  invalid_cvc: 'cvc',
}
const form = document.querySelector('form')
const problem = document.querySelector('#problem')
const clientSecret = location.hash.slice(1)
const tell = (what, more = {}) => parent.postMessage({ type: `fairway-pay:${what}`, ...more }, '*')
const tellHeight = () => tell('height', { height: document.documentElement.scrollHeight })

// Kept readable while it is typed: groups of four, a slash after the month.
form.number.addEventListener('input', () => {
  const digits = form.number.value.replace(/\D/g, '').slice(0, 19)
  form.number.value = digits.replace(/(.{4})(?=.)/g, '$1 ')
})
form.expiry.addEventListener('input', (event) => {
  const digits = form.expiry.value.replace(/\D/g, '').slice(0, 4)
  if (event.inputType !== 'deleteContentBackward')
    form.expiry.value = digits.length >= 2 ? `${digits.slice(0, 2)} / ${digits.slice(2)}` : digits
})
form.cvc.addEventListener('input', () => {
  form.cvc.value = form.cvc.value.replace(/\D/g, '')
})
form.addEventListener('input', () => mark(null))
// Enter in a field is the same as the console's own button.
form.addEventListener('keydown', (event) => {
  if (event.key === 'Enter') tell('enter')
})
form.addEventListener('submit', (event) => event.preventDefault())

addEventListener('message', (event) => {
  if (event.source !== parent || typeof event.data !== 'object' || event.data === null) return
  if (event.data.type === 'fairway-pay:look') look(event.data)
  if (event.data.type === 'fairway-pay:problem') mark(event.data)
  if (event.data.type === 'fairway-pay:submit') void submit()
})

function look({ locale, scheme }) {
  const texts = TEXTS[locale] ?? TEXTS.en
  document.documentElement.lang = LANGS[locale] ?? 'en'
  document.documentElement.dataset.scheme = scheme === 'dark' ? 'dark' : 'light'
  for (const part of document.querySelectorAll('[data-text]')) part.textContent = texts[part.dataset.text]
  tellHeight()
}

// The words come from the console's catalogue; here they stand at the field that they are about.
function mark(what) {
  for (const input of form.elements) input.removeAttribute('aria-invalid')
  problem.hidden = !what
  problem.textContent = what ? String(what.text) : ''
  const field = what ? form[FIELD_OF[what.declineCode]] : null
  if (field) {
    field.setAttribute('aria-invalid', 'true')
    field.setAttribute('aria-describedby', 'problem')
    field.focus()
  }
  tellHeight()
}

async function submit() {
  const [month = '', year = ''] = form.expiry.value.split('/').map((part) => part.trim())
  const card = {
    clientSecret,
    number: form.number.value,
    expiryMonth: Number(month),
    expiryYear: 2000 + Number(year || NaN),
    cvc: form.cvc.value.trim(),
  }
  if (!Number.isFinite(card.expiryYear)) card.expiryYear = 0
  const answer = await fetch('confirm/', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(card),
  }).catch(() => null)
  if (!answer) return tell('failed', { declineCode: 'try_again_later' })
  const body = await answer.json().catch(() => ({}))
  if (!answer.ok) return tell('failed', { declineCode: 'processing_error' })
  tell(
    body.state === 'succeeded' ? 'succeeded' : 'failed',
    body.state === 'succeeded' ? {} : { declineCode: body.declineCode },
  )
}

tell('ready')
new ResizeObserver(tellHeight).observe(document.body)
