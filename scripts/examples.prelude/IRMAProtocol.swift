import CoreMetrics
import CredentialServing
import CryptoCore
import Foundation
import IRMAClient
import IRMAMessages
import IRMAServer
import IRMAServerContracts
import IdemixCore
import KeyshareServer
import KeyshareServerContracts
import Logging
import MyIRMAServer
import Testing

let engine: any HTTPEngine = given()
let limiter: RateLimiter = given()
let folder = URL(filePath: "/var/lib/irma/schemes")
let body: [UInt8] = []
let wallet: IRMAWallet = given()
let server: SessionServer = given()
let snapshot: SchemeSnapshot = given()
let request: SessionRequest = given()
let accounts: any KeyshareEmailStore = given()
let sessions: any SessionStore = given()
let irmaServer: any LoginAttributeIssuer = given()
let schemes: SchemeDirectory = given()
let storageKey: StorageKey = given()
let rsaKey: PrivateKey = given()

func ask(_ request: WalletRequest) async -> WalletChoice? { nil }
@Sendable func askPIN(_ prompt: KeysharePINPrompt) async -> String? { nil }
@Sendable func show(pairingCode: String) async {}
func log(_ refusal: Refusal) {}
func run(_ session: WalletSession) async {}
func fetch(_ request: TimestampRequest, from server: String) async throws -> SignatureTimestamp { given() }

// in README.md
let issuerKeys: IssuerKeyRing = given()
let keyFile: [UInt8] = []
let signingKey = ""
// in IRMAWallet.swift
let storage: any CredentialStorage = given()
let schemes: WalletSchemes = given()
// in SessionObserver.swift
let logger = Logger(label: "irma")
var services = SessionServices()
// in VerifyDisclosure.md
let schemes: SchemeSnapshot = given()
// in RunAKeyshareServer.md
let newKey: StorageKey = given()
let oldKey: StorageKey = given()
let keyring: StorageKeyring = given()
let signingKey: PrivateKey = given()
// in SendEmail.md
let sender: any MailSender = given()
let englishBody = ""
let dutchBody = ""
// in KeyshareTasks.swift
let mail: KeyshareTasks.ExpiryMail = given()
func log(_ task: KeyshareTasks.Name, _ error: KeyshareServerError) {}
// in MyIRMAService.swift
let irmaServer: any DisclosureSessions = given()
let mail: MyIRMAMail = given()
// in RunTheServerOfUsersPages.md
let irmaServer: any DisclosureSessions = given()
let mail: MyIRMAMail = given()
// in PreparedSignature.swift
let disclosures: [IdemixDisclosureRequest] = []
let indices: [[AttributePosition]] = []
// in SignatureVerifier.swift
let keys: TimestampKeys = given()
let signedMessage: SignedMessage = given()
// in DisclosureVerifier.swift
let response: DisclosureResponse = given()
// in RevocationRecordsLaw.swift
let records: any RevocationRecords = given()
let theSameRecordsElsewhere: any RevocationRecords = given()
// in AccountStoreLaw.swift
let store: any KeyshareAccountStore = given()
let theSameStoreElsewhere: any KeyshareAccountStore = given()
