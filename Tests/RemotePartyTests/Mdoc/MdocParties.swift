import CBORKit
import COSEKit
import CredentialTesting
import CryptoCore
import Foundation
import MdocKit
import MdocProximity
import Testing

/// An issuing authority with a document signer that hands out bytes only.
struct MdocIssuer {
    let pki: MdocTestPKI
    let time: Date

    init(at time: Date) async throws {
        pki = try await MdocTestPKI.make(at: time)
        self.time = time
    }

    /// The authority's certificate in DER.
    var certificate: [UInt8] { pki.iaca.certificate.derBytes }

    /// An IssuerSigned for a device key, which comes as SubjectPublicKeyInfo.
    func credential(for deviceKey: [UInt8], status: MobileSecurityObject.Status? = nil) async throws -> [UInt8] {
        let validity = ValidityInfo(signed: time, validFrom: time, validUntil: time + 86_400)
        var builder = IssuerSignedBuilder(
            docType: .mDL,
            deviceKey: try PublicKey(subjectPublicKeyInfo: deviceKey),
            validityInfo: validity
        )
        builder.status = status
        try builder.add("Doe", as: "family_name", in: .mDL)
        try builder.add("Erika", as: "given_name", in: .mDL)
        let signer = try SoftwareSigner(pki.documentSignerKey)
        return Array(try await builder.sign(with: signer, x5chain: [pki.documentSigner]).encodedBytes)
    }
}

/// A wallet with one credential.
struct MdocWallet {
    let deviceKey: PrivateKey
    let session: PrivateKey
    let readerAuthority: [UInt8]
    let time: Date
    var credential: [UInt8] = []

    init(trustingReadersOf readerAuthority: [UInt8], at time: Date) throws {
        deviceKey = try PrivateKey.generate(.p256)
        session = try PrivateKey.generate(.p256)
        self.readerAuthority = readerAuthority
        self.time = time
    }

    /// The engagement for readers.
    func engagement() throws -> String {
        let nfc = try #require(NFCOptions(maximumCommandData: 255, maximumResponseData: 256))
        return try DeviceEngagement(eDeviceKey: session.publicKey, retrievalMethods: [.nfc(nfc)]).uri
    }

    /// Answers the first message of a reader that scanned the engagement.
    func answer(to message: [UInt8], scanned engagement: String) async throws -> [UInt8] {
        let establishment = try SessionEstablishment(decoding: message)
        let transcript = SessionTranscript(
            deviceEngagementBytes: try DeviceEngagement(uri: engagement).taggedBytes,
            eReaderKeyBytes: Array(establishment.eReaderKeyBytes),
            handover: .qr
        )
        let readerKey = try establishment.eReaderKey.publicKey()
        var encryption = try await SessionEncryption(
            role: .device,
            keyAgreement: session,
            peerKey: readerKey,
            sessionTranscript: transcript
        )
        let request = try DeviceRequest(decoding: encryption.decrypt(establishment.data))
        let now = time
        let readers = ReaderAuthenticationVerifier(
            trustAnchors: [try Certificate(der: readerAuthority)],
            clock: { now }
        )
        let verification = readers.verify(request, sessionTranscript: transcript)
        guard verification.docRequests.allSatisfy({ $0?.verified != nil }) else {
            return SessionData(status: .termination).encoded()
        }
        let issuerSigned = try IssuerSigned(decoding: credential)
        var documents: [MdocDocument] = []
        for docRequest in request.docRequests where docRequest.itemsRequest.docType == issuerSigned.docType {
            let disclosed = try issuerSigned.limitDisclosures(docRequest: docRequest)
            let prepared = try PreparedMdocDocument(disclosed, sessionTranscript: transcript)
            documents.append(try await prepared.authenticated(with: deviceKey, readerKey: readerKey))
        }
        let response = try DeviceResponse(documents: documents)
        let data = try encryption.encrypt(Array(response.encodedBytes))
        return SessionData(data: data, status: .termination).encoded()
    }
}

/// A reader that signs its requests.
struct MdocReader {
    let session: PrivateKey
    let signer: SoftwareSigner
    let certificates: [[UInt8]]
    let time: Date
    private var encryption: SessionEncryption?
    private var transcript: SessionTranscript?

    init(signer: SoftwareSigner, certificates: [[UInt8]], at time: Date) throws {
        session = try PrivateKey.generate(.p256)
        self.signer = signer
        self.certificates = certificates
        self.time = time
    }

    /// The first message to the wallet whose engagement was scanned: requests one element.
    mutating func request(_ element: DataElementIdentifier, from engagement: String) async throws -> [UInt8] {
        let engagement = try DeviceEngagement(uri: engagement)
        let readerKeyBytes = try SessionEstablishment.eReaderKeyBytes(for: session.publicKey)
        let transcript = SessionTranscript(
            deviceEngagementBytes: engagement.taggedBytes,
            eReaderKeyBytes: readerKeyBytes,
            handover: .qr
        )
        var encryption = try await SessionEncryption(
            role: .reader,
            keyAgreement: session,
            peerKey: engagement.eDeviceKey.publicKey(),
            sessionTranscript: transcript
        )
        var elements = DataElements<Bool>()
        elements[.mDL, element] = false
        let docRequest = try await DocRequest.signed(
            ItemsRequest(docType: .mDL, nameSpaces: elements),
            sessionTranscript: transcript,
            with: signer,
            x5chain: certificates.map { try Certificate(der: $0) }
        )
        let request = try DeviceRequest(docRequests: [docRequest])
        let data = try encryption.encrypt(Array(request.encodedBytes))
        self.encryption = encryption
        self.transcript = transcript
        return try SessionEstablishment(eReaderKeyBytes: readerKeyBytes, data: data).encodedBytes.map { $0 }
    }

    /// Verifies the wallet's answer.
    mutating func verify(
        _ message: [UInt8],
        trusting anchors: [TrustAnchor]
    ) async throws -> Verification<[VerifiedMdocDocument]>? {
        guard let data = try SessionData(decoding: message).data, let transcript,
            let response = try encryption?.decrypt(data)
        else { return nil }
        let now = time
        return await MdocVerifier(trustAnchors: anchors, clock: { now })
            .verify(try DeviceResponse(decoding: response), sessionTranscript: transcript, readerKeys: [session])
    }
}
