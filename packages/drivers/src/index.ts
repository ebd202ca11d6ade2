export type { CaptchaDriver } from './captcha/captcha.ts'
export { pictureCaptcha } from './captcha/picture.ts'
export { workCaptcha } from './captcha/work.ts'
export {
  type Acknowledged,
  type CdnDriver,
  type CdnOrder,
  type DriverContext,
  type Observation,
  type ProofRecord,
  type PurgeOrder,
  type PurgeWord,
  type TrafficBucket,
  TryLater,
  VendorRefusal,
  type VendorTraffic,
  type VendorWants,
} from './cdns/driver.ts'
export {
  type Leased,
  type Learnt,
  type ReconcileOptions,
  type ReconcileStore,
  reconcileRound,
} from './cdns/reconcile.ts'
export { type Action, type Desired, type Known, reconcileStep } from './cdns/reconcile-step.ts'
export { type ManagedKeys, managedKeys } from './cdns/vendor/managed-keys.ts'
export { type VideosOrder, forgetVideos, placeVideos, removeVideos } from './cdns/cloudfront/signed-videos.ts'
export { overridingUrl, plainWords } from './cdns/vendor/vendor-words.ts'
export { type CredentialOutcome, testCredentials } from './cdns/credentials.ts'
export { acmeAuthority, challengeCertificate, newCertificateKey } from './certificates/acme.ts'
export { type Revocation, revocationOf } from './certificates/revocation.ts'
export { readOcspResponse } from './certificates/revocation-format.ts'
export {
  type AcmeAccount,
  AuthorityAway,
  AuthorityRefusal,
  type CertificateAuthority,
  type Challenge,
  type OrderState,
  type ProofType,
  type RenewalWindow,
} from './certificates/authority.ts'
export { CDN_DRIVERS } from './cdns/registry.ts'
export type { ErrorReport, ErrorReports } from './error-reports/error-reports.ts'
export { openErrorReports, reportingLog } from './error-reports/reporting-log.ts'
export {
  type OpenIdJourney,
  type OpenIdPerson,
  type OpenIdProvider,
  OpenIdRefusal,
  openIdProvider,
} from './openid/openid.ts'
export { type WebhookAnswer, type WebhookPost, postWebhook } from './webhooks/post-webhook.ts'
export { newWebhookSecret, webhookHeaders } from './webhooks/sign-webhook.ts'
export { FormAway, submitForm } from './forms/hubspot-form.ts'
export { type CloudMarketplace, MarketplaceAway, TokenRefused } from './marketplaces/marketplace.ts'
export { purchaseToken } from './marketplaces/own-sales.ts'
export { openMarketplace } from './marketplaces/open-marketplace.ts'
export type { MailDriver, MailOutcome, OutgoingLetter } from './mail/mail.ts'
export { openMail } from './mail/open-mail.ts'
export { DeskAway, DeskGone, type TicketDesk, type TicketOrder } from './tickets/desk.ts'
export { openTicketDesk } from './tickets/open-desk.ts'
export { deskToken } from './tickets/desk-token.ts'
export {
  type CardFacts,
  type CardSetupState,
  type ChargeAnswer,
  GatewayAway,
  GatewayRefused,
  type PaymentGateway,
} from './payments/gateway.ts'
export { sandboxProvider, type SandboxProvider } from './payments/sandbox/sandbox.ts'
export { sandboxStore } from './payments/sandbox/store.ts'
export { stripeGateway } from './payments/stripe/stripe.ts'
export { type GatewayEvent, readStripeEvent } from './payments/stripe/webhook.ts'
