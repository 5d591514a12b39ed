import CBORKit
import CoreMetrics
import CredentialServing
import CredentialServingHummingbird
import CredentialServingOperations
import CredentialTransport
import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import Logging
import MdocKit
import MdocTrust
import MdocWallet
import OID4VPFacade
import OID4VPKit
import OID4VPMessages
import OID4VPVerifier
import OpenIDFederation
import SDJWTKit
import SDJWTWallet
import StatusListKit
import VerificationCore

struct Transaction: Sendable {
    let expectation: ResponseExpectation
}

struct TransactionStore: Sendable {
    func transaction(state: String?, keyID: String?) async throws -> Transaction { given() }
}

let link = ""
let url = ""
let parameter: JSONValue = given()
let policy: RequestAuthenticationPolicy = given()
let authenticated: AuthenticatedRequest = given()
let request: AuthenticatedRequest = given()
let asked: PresentationRequest = given()
let query: DCQLQuery = given()
let queries: [String: DCQLQuery] = [:]
let plan: PresentationPlan = given()
let selection: [QueryID: [CredentialName]] = [:]
let builder: PresentationBuilder = given()
let keys = HolderKeys()
let deviceKey: any Signer = given()
let holderKey: any Signer = given()
let key: any Signer = given()
let signer: any Signer = given()
let sender: ResponseSender = given()
let stored: StoredMdoc = given()
let sdJWT: SDJWT = given()
let root: Certificate = given()
let anchor: FederationTrustAnchor = given()
let certificate: Certificate = given()
let vical: VerifiedVICAL = given()
let party: RelyingParty = given()
let shop: RelyingParty = given()
let server: TransactionServer = given()
let transaction: Transaction = given()
let requestAddress = ""
let responseAddress = ""
let body = ""
let openID4VP = OpenID4VP(traceabilityId: "")

func admit(_ credentials: Any?) {}
func log(_ refusal: Refusal) {}
func open(_ url: String) {}
func hash(of entry: String) -> CBOR { given() }
func sign(_ bytes: [UInt8]) async throws -> [UInt8] { [] }
func fetch(_ reference: RequestReference) async throws {}

// in Answer-a-request.md
let credentials: [PresentableCredential] = []
struct Keychain: Sendable {
    func key(named handle: SecretBytes) throws -> any Signer { given() }
}
let mdocs: MdocCredentialStore = given()
let sdJWTs: SDJWTCredentialStore = given()
let keychain = Keychain()
let answered: Set<[String?]> = []
// in OID4VPKit.md
let credentials: [PresentableCredential] = []
// in PresentationSummary.swift
let credentials: [PresentableCredential] = []
// in PresentationBuilder.swift
let credentials: [PresentableCredential] = []
let request: PresentationRequest = given()
// in PresentableCredential.swift
let credentials: [PresentableCredential] = []
// in UnsignedPresentations.swift
let credentials: [PresentableCredential] = []
var signatures: [PendingSignature.ID: PresentationSignature] = [:]
// in OID4VPMessages.md
let credentials: [any QueryableCredential] = []
// in DCQLQuery.swift
let credentials: [any QueryableCredential] = []
// in PresentationDefinition.swift
let credentials: [any QueryableCredential] = []
// in AskForYourFirstCredential.md
let transactions: TransactionServer = given()
let site: any HTTPEngine = given()
let result: TransactionResult = given()
func show(_ text: String) {}
func offerAnotherAttempt() {}
// in RunAVerifier.md
var shop: RelyingParty = given()
let renewed: Certificate = given()
let newKey: any Signer = given()
let newResponseKey: JWK = given()
let responseKey: JWK = given()
struct CertificateEndsSoon: Error {}
let bakery: RelyingParty = given()
struct Tenant: Sendable {
    func relyingParty() throws -> RelyingParty { given() }
}
struct TenantTable: Sendable {
    func tenant(named name: String) async throws -> Tenant? { given() }
}
let table = TenantTable()
let logger = Logger(label: "verifier")
var services = TransactionServices()
// in UseTheDigitalCredentialsAPI.md
var party: RelyingParty = given()
let data: JSONObject = [:]
let expectation: ResponseExpectation = given()
func show(_ object: JSONObject) {}
// in RelyingPartySource.swift
struct Tenant: Sendable {
    func relyingParty() throws -> RelyingParty { given() }
}
struct TenantTable: Sendable {
    func tenant(named name: String) async throws -> Tenant? { given() }
}
let table = TenantTable()
var services = TransactionServices()
// in TransactionObserver.swift
let logger = Logger(label: "verifier")
var services = TransactionServices()
// in DisclosedCredential.swift
let transaction: StartedTransaction = given()
// in OID4VPVerifier.md
let request: CreatedRequest = given()
// in OpenID4VP.swift
let verifiers: [Verifier] = []
let credential = ""
let signed: [FormatType: any VPTokenSigningResult] = [:]
// in Migrating.md
let descriptor = ""
let sdJWT = ""
func sign(_ text: String) throws -> String { "" }
// in AuthorizationResponder.swift
let token: VPToken = given()
// in AuthorizationResponse.swift
let response: AuthorizationResponse = given()
func complete(_ data: JSONObject) {}
func send(_ members: JSONObject) {}
// in ResponseSender.swift
let response: AuthorizationResponse = given()
// in MdocPlatformRequest.swift
let platformRequest: PlatformRequest = given()
let store: [StoredMdoc] = []
let deviceResponse: DeviceResponse = given()
// in JSONPathQuery.swift
let credential: JSONValue = given()
// in PresentationProfile.swift
var policy: RequestAuthenticationPolicy = given()
// in VPToken.swift
let response: ResponseParameters = given()
// in ReceivedResponse.swift
let store = TransactionStore()
// in RelyingParty.swift
let verifier: SDJWTVerifier = given()
// in PresentationPolicy.swift
var policy = PresentationPolicy()
// in PresentationVerifier.swift
let response: PresentationResponse = given()
