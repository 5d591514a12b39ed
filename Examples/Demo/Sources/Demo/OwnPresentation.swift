import Credentials
import Foundation

/// A licence of our own, presented in proximity: engagement, encrypted request, encrypted response.
struct OwnPresentation {
    private let response: [UInt8]
    private let transcript: SessionTranscript
    private let readerKey: PrivateKey
    private let iaca: Certificate

    /// Issues a licence, and has a wallet present three of its elements to a reader.
    static func make() async throws -> OwnPresentation {
        Stage.chapter("2. A licence of our own")
        let now = Date()
        let issuer = try await Issuer.make(now: now)
        let deviceKey = try PrivateKey.generate(.p256)
        let licence = try await issuer.issueLicence(to: deviceKey.publicKey, now: now)
        Stage.step(
            "issuer",
            "issues \(licence.docType) with \(licence[.mDL].count) elements, \(licence.encodedBytes.count) bytes"
        )

        let wallet = try PrivateKey.generate(.p256)
        let engagement = try DeviceEngagement(eDeviceKey: wallet.publicKey, retrievalMethods: [])
        Stage.step("wallet", "shows \(engagement.uri.prefix(48))… as a QR code")

        let reader = try PrivateKey.generate(.p256)
        let transcript = SessionTranscript(
            deviceEngagementBytes: engagement.taggedBytes,
            eReaderKeyBytes: try embedded(COSEKey(publicKey: reader.publicKey)),
            handover: .qr
        )
        var readerSession = try await SessionEncryption(
            role: .reader,
            keyAgreement: reader,
            peerKey: wallet.publicKey,
            sessionTranscript: transcript
        )
        var walletSession = try await SessionEncryption(
            role: .device,
            keyAgreement: wallet,
            peerKey: reader.publicKey,
            sessionTranscript: transcript
        )

        let items = try ItemsRequest(
            docType: .mDL,
            nameSpaces: [.mDL: ["family_name": false, "portrait": false, "age_over_18": false]]
        )
        let request = try DeviceRequest(docRequests: [DocRequest(items)])
        let encryptedRequest = try readerSession.encrypt(Array(request.encodedBytes))
        Stage.step(
            "reader",
            "asks for \(items.nameSpaces.references.map(\.identifier.text).joined(separator: ", ")), encrypted"
        )

        let received = try DeviceRequest(decoding: walletSession.decrypt(encryptedRequest[...]))
        let selected = try licence.limitDisclosures(docRequest: received.docRequests[0])
        let document = try await PreparedMdocDocument(selected, sessionTranscript: transcript)
            .signed(with: SoftwareSigner(deviceKey))
        let encryptedResponse = try walletSession.encrypt(Array(DeviceResponse(documents: [document]).encodedBytes))
        Stage.step(
            "wallet",
            "presents \(selected[.mDL].count) of \(licence[.mDL].count) elements with a device signature, encrypted"
        )

        return OwnPresentation(
            response: try readerSession.decrypt(encryptedResponse[...]),
            transcript: transcript,
            readerKey: reader,
            iaca: issuer.iaca
        )
    }

    /// The key as it travels: in a byte string with tag 24.
    private static func embedded(_ key: COSEKey) -> [UInt8] {
        var writer = CBORWriter()
        writer.write(embedded: key.encoded())
        return writer.finish()
    }

    /// The reader verifies what it received.
    func verify() async throws {
        Stage.verdicts(of: try await verification(of: response))
    }

    /// One byte of the portrait is changed on the way.
    func verifyTampered() async throws {
        Stage.chapter("3. The same response with one byte changed")
        var tampered = response
        guard let offset = tampered.firstIndex(of: 0xd8, runLength: 64) else { return }
        tampered[offset + 32] ^= 0x01
        Stage.step("someone", "flips one bit of the portrait at byte \(offset + 32) of \(tampered.count)")
        Stage.verdicts(of: try await verification(of: tampered))
    }

    private func verification(of bytes: [UInt8]) async throws -> Verification<[VerifiedMdocDocument]> {
        let verifier = MdocVerifier(trustAnchors: [TrustAnchor(iaca)])
        return await verifier.verify(
            try DeviceResponse(decoding: bytes),
            sessionTranscript: transcript,
            readerKeys: [readerKey]
        )
    }
}

extension [UInt8] {
    /// The start of the first run of one byte that is at least so long.
    fileprivate func firstIndex(of byte: UInt8, runLength: Int) -> Int? {
        indices.first { start in
            start + runLength <= endIndex && self[start..<start + runLength].allSatisfy { $0 == byte }
        }
    }
}
