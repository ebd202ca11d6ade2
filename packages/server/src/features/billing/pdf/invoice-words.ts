import type { Locale } from '@fairway/contract'

export type InvoiceWords = {
  invoice: string
  number: string
  date: string
  due: string
  paid: string
  unpaid: string
  posted: string
  status: string
  billedTo: string
  from: string
  period: string
  taxId: string
  item: string
  amount: string
  subtotal: string
  discount: string
  tax: string
  total: string
  credit: string
  dueNow: string
  page: string
  contact: string
  usage: (used: string, included: string, price: string, units: string) => string
}

// A thin space would stand here on a screen; the font has none.
const SPACE = ' '

export const INVOICE_WORDS: Readonly<Record<Locale, InvoiceWords>> = {
  en: {
    invoice: 'Invoice',
    number: 'Number',
    date: 'Date',
    due: 'Due',
    paid: 'Paid',
    unpaid: 'Unpaid',
    posted: 'Posted',
    status: 'Status',
    billedTo: 'Billed to',
    from: 'From',
    period: 'Period',
    taxId: 'Tax ID',
    item: 'Description',
    amount: 'Amount',
    subtotal: 'Subtotal',
    discount: 'Discount',
    tax: 'Tax',
    total: 'Total',
    credit: 'Paid from credit',
    dueNow: 'Amount due',
    page: 'Page',
    contact: 'Questions',
    usage: (used, included, price, units) => `${used} used, ${included} included, ${price} per ${units}`,
  },
  zhHant: {
    invoice: '帳單',
    number: '帳單號碼',
    date: '開立日期',
    due: '付款期限',
    paid: '已付款',
    unpaid: '未付款',
    posted: '已開立',
    status: '狀態',
    billedTo: '帳單寄送對象',
    from: '開立者',
    period: '計費期間',
    taxId: '統一編號',
    item: '項目',
    amount: '金額',
    subtotal: '小計',
    discount: '折扣',
    tax: '稅額',
    total: '總計',
    credit: '以抵用金支付',
    dueNow: '應付金額',
    page: '頁',
    contact: '如有疑問',
    usage: (used, included, price, units) =>
      `已用${SPACE}${used}，內含${SPACE}${included}，每${SPACE}${units}${SPACE}${price}`,
  },
  zhHans: {
    invoice: '账单',
    number: '账单编号',
    date: '开具日期',
    due: '付款期限',
    paid: '已支付',
    unpaid: '未支付',
    posted: '已开具',
    status: '状态',
    billedTo: '账单对象',
    from: '开具方',
    period: '计费周期',
    taxId: '税号',
    item: '项目',
    amount: '金额',
    subtotal: '小计',
    discount: '折扣',
    tax: '税额',
    total: '合计',
    credit: '使用抵扣金支付',
    dueNow: '应付金额',
    page: '页',
    contact: '如有疑问',
    usage: (used, included, price, units) =>
      `已用${SPACE}${used}，内含${SPACE}${included}，每${SPACE}${units}${SPACE}${price}`,
  },
}
