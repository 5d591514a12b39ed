import CBORKit
import CryptoCore
import Foundation
import MdocKit
import TestSupport

/// An issuer, a wallet with two credentials (one key signs, one makes MACs), a reader, and the wallet's response.
struct MdocFuzzScene: Sendable {
    static let shared: MdocFuzzScene = {
        do { return try InlineTask.run { try await MdocFuzzScene() } } catch { fatalError("\(error)") }
    }()

    static let photoID = DocType("org.iso.23220.photoid.1")
    static let nameSpace = NameSpace("org.iso.23220.1")

    let pki: MdocFuzzPKI
    let readerKey: PrivateKey
    let signingKey: PrivateKey
    let agreementKey: PrivateKey
    let transcript: SessionTranscript
    let credentials: [StoredMdoc]
    let request: DeviceRequest
    /// The wallet's response to the whole request.
    let response: DeviceResponse
    /// Its key of device MACs.
    let macKey: SecretBytes

    private init() async throws {
        pki = try await MdocFuzzPKI()
        readerKey = try FuzzKeys.key(2)
        signingKey = try FuzzKeys.key(3)
        agreementKey = try FuzzKeys.key(4)
        transcript = SessionTranscript(
            handover: .openID4VPDigitalCredentialsAPI(origin: "https://rp.example", nonce: "n", jwkThumbprint: nil)
        )
        let mDL = try await Self.credential(.mDL, .mDL, signingKey, pki)
        let photoID = try await Self.credential(Self.photoID, Self.nameSpace, agreementKey, pki)
        credentials = [
            StoredMdoc(id: "mDL", issuerSigned: mDL),
            StoredMdoc(id: "photo", issuerSigned: photoID, deviceKeyUsage: .mac),
        ]
        request = try await Self.request(transcript, pki)
        let match = RequestMatch(request, in: credentials, at: FuzzKeys.time)
        response = try await match.response(
            to: match.fullConsent(),
            sessionTranscript: transcript,
            at: FuzzKeys.time,
            readerKeys: [readerKey.publicKey],
            deviceKey: { [signingKey, agreementKey] in try Self.handle($0, signingKey, agreementKey) }
        )
        guard response.documents.count == 2 else { throw CocoaError(.coderInvalidValue) }
        macKey = try HKDF.deriveKey(
            hash: .sha256,
            inputKeyMaterial: agreementKey.sharedSecret(with: readerKey.publicKey),
            salt: HashAlgorithm.sha256.digest(of: transcript.taggedBytes),
            info: Array("EMacKey".utf8),
            length: 32
        )
    }

    private static func credential(
        _ docType: DocType,
        _ nameSpace: NameSpace,
        _ key: PrivateKey,
        _ pki: MdocFuzzPKI
    ) async throws -> IssuerSigned {
        let time = FuzzKeys.time
        var builder = IssuerSignedBuilder(
            docType: docType,
            deviceKey: key.publicKey,
            validityInfo: ValidityInfo(signed: time, validFrom: time, validUntil: time + 86_400)
        )
        try builder.add("Doe", as: "family_name", in: nameSpace)
        try builder.add(.bytes([UInt8](repeating: 7, count: 20)), as: "portrait", in: nameSpace)
        try builder.add(.tagged(1004, "1990-02-28"), as: "birth_date", in: nameSpace)
        try builder.add("UT", as: "issuing_country", in: nameSpace)
        try builder.add(true, as: "age_over_18", in: nameSpace)
        try builder.add(false, as: "age_over_65", in: nameSpace)
        builder.keyAuthorizations = try KeyAuthorizations(nameSpaces: ["org.example.device"])
        builder.status = MobileSecurityObject.Status(statusList: .init(index: 3, uri: "https://a.example/1"))
        return try await builder.sign(
            with: SoftwareSigner(pki.documentSignerKey),
            x5chain: [pki.documentSigner],
            using: FuzzKeys.randomness(5)
        )
    }

    private static func request(_ transcript: SessionTranscript, _ pki: MdocFuzzPKI) async throws -> DeviceRequest {
        let signer = try SoftwareSigner(pki.readerKey)
        var requests: [DocRequest] = []
        for (docType, nameSpace) in [(DocType.mDL, NameSpace.mDL), (photoID, Self.nameSpace)] {
            var info = DocRequestInfo()
            info.alternativeDataElements = [
                AlternativeDataElements(
                    DataElementReference(nameSpace, "nickname"),
                    alternativeElementSets: [[DataElementReference(nameSpace, "family_name")]]
                )
            ]
            info.uniqueDocSetRequired = true
            info.maximumResponseSize = 100_000
            var elements = DataElements<Bool>()
            // A response holds two statements about the age at most, in all of its documents.
            let ages = docType == .mDL ? ["age_over_17", "age_over_70"] : []
            for name in ["family_name", "portrait", "nickname", "birth_date"] + ages {
                elements[nameSpace, DataElementIdentifier(name)] = false
            }
            let items = try ItemsRequest(docType: docType, nameSpaces: elements, requestInfo: info)
            requests.append(
                try await .signed(items, sessionTranscript: transcript, with: signer, x5chain: [pki.reader])
            )
        }
        let info = try DeviceRequestInfo(useCases: [
            UseCase(mandatory: true, documentSets: [[0, 1], [0]]), UseCase(mandatory: false, documentSets: [[1]]),
        ])
        return try DeviceRequest(docRequests: requests, deviceRequestInfo: info)
    }

    /// The key of a credential, for the use that the credential names.
    @Sendable
    func handle(_ credential: StoredMdoc) throws -> DeviceKeyHandle {
        try Self.handle(credential, signingKey, agreementKey)
    }

    private static func handle(
        _ credential: StoredMdoc,
        _ signingKey: PrivateKey,
        _ agreementKey: PrivateKey
    ) throws -> DeviceKeyHandle {
        switch credential.deviceKeyUsage {
        case .signature: .signer(try SoftwareSigner(signingKey))
        case .mac: .keyAgreement(agreementKey)
        }
    }

    /// A verifier that trusts the issuer, with the same status for every credential.
    func verifier(status: CredentialStatus, policy statusPolicy: StatusPolicy) -> MdocVerifier {
        var policy = MdocVerificationPolicy.strict
        policy.status = statusPolicy
        return MdocVerifier(
            trustAnchors: [TrustAnchor(pki.authority.certificate)],
            policy: policy,
            statusChecker: ConstantStatus(status: status),
            chainCache: nil,
            clock: { FuzzKeys.time + 60 }
        )
    }
}

/// Returns the same status for every credential.
private struct ConstantStatus: MdocStatusChecking {
    let status: CredentialStatus

    func status(
        named _: MobileSecurityObject.Status,
        of _: ValidatedCertificateChain,
        at _: Date
    ) async -> StatusFinding {
        StatusFinding(status)
    }
}
