import CBORKit
import COSEKit
import CredentialTesting
import CryptoCore
import Foundation
import MdocKit
import TestSupport

/// An issuer, a holder and a reader of our own, with keys and certificates that repeat from run to run.
struct Utopia: Sendable {
    let iaca: CertificateAuthority
    let documentSigner: Certificate
    let documentSignerKey: PrivateKey
    let readerAuthority: CertificateAuthority
    let reader: Certificate
    let readerKey: PrivateKey
    let deviceKey: PrivateKey
    let ephemeralReaderKey: PrivateKey
    let transcript: SessionTranscript

    /// The moment of the tests.
    static let now = Date(timeIntervalSince1970: 1_780_000_000)
    static let day: TimeInterval = 86_400

    /// - Parameters:
    ///   - curve: The curve of the certificates' keys.
    ///   - deviceCurve: The curve of the device key and of the reader's ephemeral key.
    ///   - time: When the certificates begin to be valid, about.
    init(
        curve: EllipticCurve = .p256,
        deviceCurve: EllipticCurve = .p256,
        at time: Date = Utopia.now
    ) async throws {
        let random = GeneratorRandomSource(RepeatableRandomNumberGenerator(seed: 18013))
        let pki = try await MdocTestPKI.make(curve: curve, at: time, using: random)
        iaca = pki.iaca
        documentSigner = pki.documentSigner
        documentSignerKey = pki.documentSignerKey
        readerAuthority = pki.readerAuthority
        reader = pki.reader
        readerKey = pki.readerKey
        deviceKey = try PrivateKey.generate(deviceCurve, using: random)
        ephemeralReaderKey = try PrivateKey.generate(deviceCurve, using: random)
        transcript = SessionTranscript(
            handover: .openID4VPDigitalCredentialsAPI(origin: "https://reader.example", nonce: "n", jwkThumbprint: nil)
        )
    }

    /// The same with another issuing authority and document signer.
    private init(_ other: Utopia, iaca: CertificateAuthority, documentSigner: Certificate, key: PrivateKey) {
        self.iaca = iaca
        self.documentSigner = documentSigner
        documentSignerKey = key
        readerAuthority = other.readerAuthority
        reader = other.reader
        readerKey = other.readerKey
        deviceKey = other.deviceKey
        ephemeralReaderKey = other.ephemeralReaderKey
        transcript = other.transcript
    }

    /// An issuing authority in a state, with a document signer whose key is on another curve if one is given.
    static func make(
        inState state: String? = nil,
        signerCurve: EllipticCurve = .p256,
        at time: Date = Utopia.now
    ) async throws -> Utopia {
        let usual = try await Utopia(at: time)
        let root = usual.iaca.certificate
        let iaca = try await CertificateAuthority.iaca(
            subject: DistinguishedName(countryName: "UT", stateOrProvinceName: state, commonName: "Utopia IACA"),
            contact: .uri("https://utopia.example/iaca"),
            signer: usual.iaca.signer,
            validity: root.notValidBefore...root.notValidAfter
        )
        let key = try PrivateKey.generate(signerCurve)
        let documentSigner = try await iaca.issueDocumentSigner(
            commonName: "Utopia document signer",
            publicKey: key.publicKey,
            validity: usual.documentSigner.notValidBefore...usual.documentSigner.notValidAfter,
            revocationListURI: "https://utopia.example/iaca.crl"
        )
        return Utopia(usual, iaca: iaca, documentSigner: documentSigner, key: key)
    }

    /// Valid from the day before the tests for ninety days.
    static let validity = ValidityInfo(
        signed: now - day,
        validFrom: now - day,
        validUntil: now + 90 * day
    )

    /// A licence with a few elements, not issued yet.
    func builder(
        docType: DocType = .mDL,
        validity: ValidityInfo = Utopia.validity
    ) throws -> IssuerSignedBuilder {
        var builder = IssuerSignedBuilder(docType: docType, deviceKey: deviceKey.publicKey, validityInfo: validity)
        try builder.add("Doe", as: "family_name", in: .mDL)
        try builder.add("Jane", as: "given_name", in: .mDL)
        try builder.add(.tagged(1004, "1990-05-15"), as: "birth_date", in: .mDL)
        try builder.add("UT", as: "issuing_country", in: .mDL)
        try builder.add(true, as: "age_over_18", in: .mDL)
        try builder.add(true, as: "age_over_21", in: .mDL)
        try builder.add(true, as: "organ_donor", in: "org.iso.18013.5.1.UT")
        return builder
    }

    /// Issues with the document signer of these certificates.
    func issue(_ builder: IssuerSignedBuilder) async throws -> IssuerSigned {
        let random = GeneratorRandomSource(RepeatableRandomNumberGenerator(seed: 5))
        let signer = try SoftwareSigner(documentSignerKey)
        return try await builder.sign(with: signer, x5chain: [documentSigner], using: random)
    }

    /// The usual licence, issued.
    func licence() async throws -> IssuerSigned {
        try await issue(builder())
    }

    /// A response with one document, signed by the device.
    func present(
        _ issuerSigned: IssuerSigned,
        deviceNameSpaces: DataElements<CBOR> = DataElements()
    ) async throws -> DeviceResponse {
        let prepared = try PreparedMdocDocument(
            issuerSigned,
            deviceNameSpaces: deviceNameSpaces,
            sessionTranscript: transcript
        )
        return try DeviceResponse(documents: [await prepared.signed(with: SoftwareSigner(deviceKey))])
    }

    /// A verifier that trusts the issuing authority.
    func verifier(
        at time: Date = Utopia.now,
        docTypes: Set<DocType>? = nil,
        policy: MdocVerificationPolicy = MdocVerificationPolicy()
    ) -> MdocVerifier {
        MdocVerifier(
            trustAnchors: [TrustAnchor(iaca.certificate, docTypes: docTypes)],
            policy: policy,
            clock: { time }
        )
    }

    /// The verdicts on a response in the session of the tests.
    func verify(
        _ response: DeviceResponse,
        with verifier: MdocVerifier? = nil
    ) async throws -> Verification<[VerifiedMdocDocument]> {
        await (verifier ?? self.verifier()).verify(
            response,
            sessionTranscript: transcript,
            readerKeys: [ephemeralReaderKey]
        )
    }
}
