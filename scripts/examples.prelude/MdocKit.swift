import CredentialTransport
import CryptoCore
import Foundation
import MdocElements
import MdocKit
import MdocProximity
import MdocResults
import MdocTrust
import MdocWallet
import VerificationCore

struct Keychain: Sendable {
    func key(named handle: SecretBytes) throws -> any Signer { given() }
}

struct Website: Sendable {
    func response() async throws -> DeviceResponse { given() }
}

let keychain = Keychain()
let website = Website()
let keyFromKeychain: SecretBytes = given()
let path = ""
let scanned = ""
let domain = ""
let clientID = ""
let responseURI = ""
let challenge = ""
let stored: UInt64? = nil
let signer: any Signer = given()
let deviceSigner: any Signer = given()
let key: any KeyAgreement = given()
let ephemeralReaderKey: any KeyAgreement = given()
let deviceKey: PublicKey = given()
let deviceKeys: [PublicKey] = []
let certificate: Certificate = given()
let iaca: Certificate = given()
let documentSigner: Certificate = given()
let signersCertificate: Certificate = given()
let providersRoot: Certificate = given()
let readerAuthority: Certificate = given()
let anchors: [TrustAnchor] = []
let connector: any HTTPConnector = given()
let verifier: MdocVerifier = given()
let validity: ValidityInfo = given()
let transcript: SessionTranscript = given()
let parameters: EncryptionParameters = given()
let encrypted: EncryptedDocument = given()
let itemsRequest: ItemsRequest = given()
let request: DeviceRequest = given()
let deviceRequest: DeviceRequest = given()
let response: DeviceResponse = given()
let verification: Verification<[VerifiedMdocDocument]> = given()
let document: VerifiedMdocDocument = given()
let licence: VerifiedMdocDocument = given()
let credential: IssuerSigned = given()
let credentials: [StoredMdoc] = []
let copies: [NewMdocCopy] = []
let match: RequestMatch = given()
let decision: ConsentDecision = given()
let readers: ReaderAuthenticationVerifier = given()
let portrait: DataElementReference = given()
let engagement: DeviceEngagement = given()
let answer: [UInt8] = []

func deviceSigner(for credential: StoredMdoc) -> any Signer { given() }
func answer(to request: ReceivedDeviceRequest) async throws -> DeviceResponse { given() }
func perform(_ effect: ReaderSessionMachine.Effect) {}
func retry() {}

// in README.md
let connector: any MdocTransportConnector = given()
let request: MobileCredentialRequest = given()
// in MobileCredentialVerifier.swift
let connector: any MdocTransportConnector = given()
let request: MobileCredentialRequest = given()
// in PresentationSessionError.swift
let session: ProximityPresentationSession = given()
let request: MobileCredentialRequest = given()
// in ProximityPresentationSession.swift
let session: ProximityPresentationSession = given()
// in Read-elements-as-values.md
var builder: IssuerSignedBuilder = given()
let birthDate: FullDate = given()
// in DataElementSchema.swift
let builder: IssuerSignedBuilder = given()
// in DataElementValue.swift
let claim: MobileCredentialClaim = given()
// in Radios-on-iOS.md
let radio: any BLERadio = given()
// in MdocDigitalCredentialsRequest.swift
let key: PrivateKey = given()
// in PreparedMdocDocument.swift
let request: DocRequest = given()
// in MaximumStatusAge.swift
var policy = MdocVerificationPolicy()
// in BLELink.swift
let value: [UInt8] = []
// in BLEMdocTransport.swift
let link: any BLEClientLink = given()
// in NFCEngagementReader.swift
let request: HandoverRequest? = nil
func send(_ command: CommandAPDU) async -> [UInt8] { [] }
func sleep(_ time: Duration) async {}
// in NFCEngagementTag.swift
let command: [UInt8] = []
func select(for request: HandoverRequest) -> HandoverSelect { given() }
func begin(_ handover: NFCHandover) {}
func report(_ error: MdocError) {}
func send(_ response: [UInt8]) {}
// in NFCDeviceMdocTransport.swift
let link: any NFCDeviceLink = given()
let options: NFCOptions = given()
// in NFCReaderMdocTransport.swift
let link: any NFCReaderLink = given()
let options: NFCOptions = given()
// in ProximityHolderSession.swift
let options: BLEOptions = given()
let transport: any MdocTransport = given()
// in ProximityReaderSession.swift
let transport: any MdocTransport = given()
// in WebsiteHolderSession.swift
let link = ""
// in DeviceAuthenticationDiagnosis.swift
let document: MdocDocument = given()
// in OnlinePresentationSessionResult.swift
let body = Data()
// in MobileCredentialClaim.swift
let credential: MobileCredentialPresentation = given()
// in TrustedIssuers.swift
let store: any TrustedIssuerStore = given()
