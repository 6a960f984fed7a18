/** The records of the latest version by name, for who writes functions about them. */
import type { z } from 'zod';
import type { tables } from './catalogue.ts';
import type { latestVersion } from './versions.ts';

type Latest = (typeof tables)[typeof latestVersion];

/** A record of the latest version, by its resource's name in the singular: `RecordOf<'account'>`. */
export type RecordOf<Resource extends keyof Latest> = z.output<Latest[Resource]['record']>;

export type Account = RecordOf<'account'>;
export type Balance = RecordOf<'balance'>;
export type Transaction = RecordOf<'transaction'>;
export type VirtualAccount = RecordOf<'virtual-account'>;
export type AccountHolder = RecordOf<'account-holder'>;
export type OutgoingTransfer = RecordOf<'outgoing-transfer'>;
export type IncomingTransfer = RecordOf<'incoming-transfer'>;
export type InternalTransfer = RecordOf<'internal-transfer'>;
export type Beneficiary = RecordOf<'beneficiary'>;
export type BeneficiaryAccount = RecordOf<'beneficiary-account'>;
export type Quote = RecordOf<'quote'>;
export type Trade = RecordOf<'trade'>;
export type AccountHolderCreationIntent = RecordOf<'account-holder-creation-intent'>;
export type OutgoingTransferCreationIntent = RecordOf<'outgoing-transfer-creation-intent'>;
export type VirtualAccountCreationIntent = RecordOf<'virtual-account-creation-intent'>;
export type VirtualAccountUpdateIntent = RecordOf<'virtual-account-update-intent'>;
export type VirtualAccountClosureIntent = RecordOf<'virtual-account-closure-intent'>;
export type BeneficiaryCreationIntent = RecordOf<'beneficiary-creation-intent'>;
export type BeneficiaryAccountCreationIntent = RecordOf<'beneficiary-account-creation-intent'>;
export type QuoteCreationIntent = RecordOf<'quote-creation-intent'>;
export type TradeCreationIntent = RecordOf<'trade-creation-intent'>;
export type TradeCancellationIntent = RecordOf<'trade-cancellation-intent'>;
export type InternalTransferCreationIntent = RecordOf<'internal-transfer-creation-intent'>;
export type Party = RecordOf<'party'>;
export type PartyAttribute = RecordOf<'party-attribute'>;
export type Verification = RecordOf<'verification'>;
export type DisclosureConsent = RecordOf<'disclosure-consent'>;
export type Requirement = RecordOf<'requirement'>;
export type CapabilityGrant = RecordOf<'capability-grant'>;
export type CollectionSession = RecordOf<'collection-session'>;
export type Evidence = RecordOf<'evidence'>;
export type Screening = RecordOf<'screening'>;
export type CryptoAddress = RecordOf<'crypto-address'>;
export type TravelRuleMessage = RecordOf<'travel-rule-message'>;
export type PartnerAccess = RecordOf<'partner-access'>;
export type CryptoAddressDeclaration = RecordOf<'crypto-address-declaration'>;
export type RequirementType = RecordOf<'requirement-type'>;
export type Capability = RecordOf<'capability'>;
export type Partner = RecordOf<'partner'>;
export type VerificationCreationIntent = RecordOf<'verification-creation-intent'>;
export type VerificationUpdateIntent = RecordOf<'verification-update-intent'>;
export type PartyCreationIntent = RecordOf<'party-creation-intent'>;
export type PartyAttributeCreationIntent = RecordOf<'party-attribute-creation-intent'>;
export type PartyAttributeUpdateIntent = RecordOf<'party-attribute-update-intent'>;
export type CryptoAddressCreationIntent = RecordOf<'crypto-address-creation-intent'>;
export type PartnerAccessCreationIntent = RecordOf<'partner-access-creation-intent'>;
export type CryptoAddressDeclarationIntent = RecordOf<'crypto-address-declaration-intent'>;
export type File = RecordOf<'file'>;
export type SimulatorIncomingTransfer = RecordOf<'simulator-incoming-transfer'>;
