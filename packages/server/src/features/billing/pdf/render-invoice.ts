import fs from 'node:fs'
import type { Invoice, InvoiceLine, Locale } from '@fairway/contract'
import { formatMoney } from '@fairway/domain'
import { Failure } from '../../../http/failure.ts'
import { formatUnits } from './format-units.ts'
import { INVOICE_WORDS, type InvoiceWords } from './invoice-words.ts'

type Doc = PDFKit.PDFDocument
type Page = {
  doc: Doc
  invoice: Invoice
  locale: Locale
  words: InvoiceWords
  money: (minor: number) => string
  day: (at: string) => string
}

const LEFT = 56
const RIGHT = 539
const BOTTOM = 770
const INK = '#0f131a'
const SOFT = '#475061'
const LINE = '#d3d9e2'
const TAGS: Record<Locale, string> = { en: 'en-US', zhHant: 'zh-Hant-TW', zhHans: 'zh-Hans-CN' }

/**
 * The invoice as a PDF in one language, under the seller's name and colour. The standard fonts hold no Chinese, so
 * without the CJK font only texts of Latin letters are written. @throws Failure 503
 */
export async function renderInvoicePdf(
  invoice: Invoice,
  locale: Locale,
  cjkFont: string,
): Promise<Uint8Array<ArrayBuffer>> {
  // Large, and seldom needed.
  const { default: Pdf } = await import('pdfkit')
  const doc = new Pdf({
    size: 'A4',
    margin: 0,
    bufferPages: true,
    lang: TAGS[locale],
    info: {
      Title: `${INVOICE_WORDS[locale].invoice} ${invoice.number}`,
      Author: invoice.seller.companyName,
      CreationDate: new Date(invoice.date),
    },
  })
  const done = collected(doc)
  useFonts(doc, invoice, locale, cjkFont)
  const page: Page = {
    doc,
    invoice,
    locale,
    words: INVOICE_WORDS[locale],
    money: (minor) => formatMoney(minor, invoice.currency, locale),
    day: (at) => new Intl.DateTimeFormat(TAGS[locale], { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(at)),
  }
  head(page)
  parties(page)
  const end = lines(page)
  totals(page, end)
  feet(page)
  doc.end()
  return done
}

function useFonts(doc: Doc, invoice: Invoice, locale: Locale, cjkFont: string): void {
  if (fs.existsSync(cjkFont)) {
    const face = { en: 'NotoSansCJKtc', zhHant: 'NotoSansCJKtc', zhHans: 'NotoSansCJKsc' }[locale]
    doc.registerFont('text', cjkFont, `${face}-Regular`)
    const bold = cjkFont.replace('-Regular', '-Bold')
    doc.registerFont(
      'strong',
      fs.existsSync(bold) ? bold : cjkFont,
      `${face}-${fs.existsSync(bold) ? 'Bold' : 'Regular'}`,
    )
    return
  }
  const beyondLatin = /[\u0100-\uffff]/.test(JSON.stringify([invoice.seller, invoice.buyer]))
  if (locale !== 'en' || beyondLatin)
    throw new Failure(503, {
      internal: `the font ${cjkFont} is missing: install fonts-noto-cjk or set FAIRWAY_CJK_FONT`,
    })
  doc.registerFont('text', 'Helvetica')
  doc.registerFont('strong', 'Helvetica-Bold')
}

function head({ doc, invoice, words, day }: Page): void {
  doc.rect(0, 0, 596, 6).fill(invoice.seller.brandColor)
  doc.font('strong').fontSize(15).fillColor(INK).text(invoice.seller.companyName, LEFT, 46, { width: 260 })
  doc
    .font('strong')
    .fontSize(20)
    .text(words.invoice, 320, 42, { width: RIGHT - 320, align: 'right' })
  const facts: [string, string][] = [
    [words.number, invoice.number],
    [words.date, day(invoice.date)],
    [words.period, `${day(invoice.periodFrom)} – ${day(new Date(Date.parse(invoice.periodUntil) - 1).toISOString())}`],
    [
      words.status,
      invoice.status === 'paid'
        ? `${words.paid}${invoice.paidAt ? ` · ${day(invoice.paidAt)}` : ''}`
        : `${words[invoice.status]} · ${words.due} ${day(invoice.dueAt)}`,
    ],
  ]
  for (const [index, [name, value]] of facts.entries()) {
    doc
      .font('text')
      .fontSize(9)
      .fillColor(SOFT)
      .text(name, 250, 80 + index * 15, { width: 100, lineBreak: false })
    doc.fillColor(INK).text(value, 330, 80 + index * 15, { width: RIGHT - 330, align: 'right', lineBreak: false })
  }
}

function parties({ doc, invoice, words, locale }: Page): void {
  const { address, organizationName } = invoice.buyer
  const regions = new Intl.DisplayNames(TAGS[locale], { type: 'region' })
  const buyer = address
    ? [
        organizationName,
        `${address.firstName} ${address.lastName}`,
        address.company,
        address.billingAddr1,
        address.billingAddr2,
        [address.billingZip, address.billingCity, address.billingState].filter(Boolean).join(' '),
        regions.of(address.billingCountry) ?? address.billingCountry,
        address.taxId && `${words.taxId} ${address.taxId}`,
      ]
    : [organizationName]
  const column = (title: string, texts: string[], x: number) => {
    doc.font('strong').fontSize(9).fillColor(SOFT).text(title, x, 160)
    doc
      .font('text')
      .fontSize(9.5)
      .fillColor(INK)
      .text(texts.filter(Boolean).join('\n'), x, 175, { width: 230, lineGap: 2 })
  }
  column(
    words.billedTo,
    buyer.filter((text): text is string => Boolean(text)),
    LEFT,
  )
  column(words.from, [invoice.seller.companyName, invoice.seller.contactEmail ?? ''], 320)
}

/** @returns where the totals begin */
function lines(page: Page): number {
  const { doc, invoice, words, money, day } = page
  let y = tableHead(doc, words, 300)
  for (const line of invoice.lines) {
    if (y > BOTTOM - 60) {
      doc.addPage({ size: 'A4', margin: 0 })
      y = tableHead(doc, words, 56)
    }
    doc
      .font('text')
      .fontSize(10)
      .fillColor(INK)
      .text(line.name[page.locale].replaceAll('\u2009', ' '), LEFT, y, { width: 340, lineBreak: false, ellipsis: true })
    doc.text(money(line.amountMinor), 400, y, { width: RIGHT - 400, align: 'right', lineBreak: false })
    doc
      .fontSize(8.5)
      .fillColor(SOFT)
      .text(
        detailOf(line, page) ?? `${day(line.from)} – ${day(new Date(Date.parse(line.until) - 1).toISOString())}`,
        LEFT,
        y + 16,
        { width: 380, lineBreak: false, ellipsis: true },
      )
    doc
      .moveTo(LEFT, y + 34)
      .lineTo(RIGHT, y + 34)
      .lineWidth(0.5)
      .stroke(LINE)
    y += 42
  }
  return y + 6
}

function tableHead(doc: Doc, words: InvoiceWords, y: number): number {
  doc.font('strong').fontSize(9).fillColor(SOFT).text(words.item, LEFT, y)
  doc.text(words.amount, 400, y, { width: RIGHT - 400, align: 'right' })
  doc
    .moveTo(LEFT, y + 18)
    .lineTo(RIGHT, y + 18)
    .lineWidth(1)
    .stroke(LINE)
  return y + 28
}

function detailOf(line: InvoiceLine, { words, locale, money }: Page): string | null {
  if (line.kind !== 'usage' || !line.rate) return null
  const units = (value: number) => formatUnits(value, line.itemId === 'cdnTraffic' ? 'bytes' : 'count', locale)
  return words.usage(units(line.used ?? 0), units(line.included ?? 0), money(line.rate.minor), units(line.rate.units))
}

function totals({ doc, invoice, words, money }: Page, from: number): void {
  const taxName = `${invoice.taxName ?? words.tax} ${invoice.taxRatePpm / 10_000} %`
  const rows: [string, string, boolean][] = [
    [words.subtotal, money(invoice.subtotalMinor), false],
    ...(invoice.discountMinor > 0
      ? [[words.discount, money(-invoice.discountMinor), false] as [string, string, boolean]]
      : []),
    ...(invoice.taxRatePpm > 0 ? [[taxName, money(invoice.taxMinor), false] as [string, string, boolean]] : []),
    [words.total, money(invoice.totalMinor), true],
    ...(invoice.creditMinor > 0
      ? [[words.credit, money(-invoice.creditMinor), false] as [string, string, boolean]]
      : []),
    [invoice.status === 'paid' ? words.paid : words.dueNow, money(invoice.dueMinor), true],
  ]
  let y = from
  if (y > BOTTOM - rows.length * 18) {
    doc.addPage({ size: 'A4', margin: 0 })
    y = 56
  }
  for (const [name, value, strong] of rows) {
    doc
      .font(strong ? 'strong' : 'text')
      .fontSize(10)
      .fillColor(strong ? INK : SOFT)
      .text(name, 300, y, { width: 130, lineBreak: false })
    doc.fillColor(INK).text(value, 430, y, { width: RIGHT - 430, align: 'right', lineBreak: false })
    y += 18
  }
}

function feet({ doc, invoice, words }: Page): void {
  const { start, count } = doc.bufferedPageRange()
  for (let index = start; index < start + count; index++) {
    doc.switchToPage(index)
    doc
      .font('text')
      .fontSize(8)
      .fillColor(SOFT)
      .text(
        invoice.seller.contactEmail ? `${words.contact}: ${invoice.seller.contactEmail}` : invoice.seller.companyName,
        LEFT,
        805,
        { width: 300, lineBreak: false },
      )
    doc.text(`${words.page} ${index + 1} / ${count}`, 400, 805, {
      width: RIGHT - 400,
      align: 'right',
      lineBreak: false,
    })
  }
}

function collected(doc: Doc): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Buffer[] = []
  return new Promise((resolve, reject) => {
    doc.on('data', (part: Buffer) => parts.push(part))
    doc.on('end', () => resolve(new Uint8Array(Buffer.concat(parts))))
    doc.on('error', reject)
  })
}
