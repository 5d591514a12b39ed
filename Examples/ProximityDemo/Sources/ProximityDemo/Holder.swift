import CredentialTesting
import Credentials
import Foundation
import QRCodes

/// A wallet with a driving licence.
struct Holder {
    let folder: SharedFolder

    /// Gets a licence, shows a QR code, and presents what the reader asks for.
    func run() async throws {
        let pki = try await MdocTestPKI.make()
        try folder.publish(pki.iaca.certificate)
        let deviceKey = try SoftwareSigner(.generate(.p256))
        let licence = try await Self.licence(for: deviceKey.publicKey, from: pki)
        let listener = try SocketMdocListener(at: folder.socket)

        let device = try EngagedDevice(retrievalMethods: [.socket(listener.endpoint)])
        say("holds \(licence.docType) with \(licence[.mDL].count) elements and shows:")
        for line in QRCode(device.engagement.uri)?.lines ?? [] { emit("  \(line)") }
        emit(device.engagement.uri)

        let session = await ProximityHolderSession(device, over: try await listener.accept())
        // The demo's reader does not sign, so that no authority need be trusted.
        let readers = ReaderAuthenticationVerifier(trustAnchors: [])
        let credentials = [StoredMdoc(id: "licence", issuerSigned: licence)]
        while let received = try await session.nextRequest() {
            let match = RequestMatch(received.request, in: credentials, at: Date())
            let consent = match.fullConsent()
            let authentication = readers.verify(received.request, sessionTranscript: received.sessionTranscript)
            say("agrees to send:")
            for line in try match.summary(of: consent, readers: authentication).lines { say("  \(line)") }
            let response = try await match.response(
                to: consent,
                sessionTranscript: received.sessionTranscript,
                at: Date(),
                readerKeys: [received.eReaderKey]
            ) { _ in .signer(deviceKey) }
            try await session.respond(response)
        }
        await session.waitUntilClosed()
        if let termination = await session.termination { say("session ended: \(termination)") }
    }

    private func say(_ text: String) {
        emit("  holder   \(text)")
    }

    /// Prints a line at once, since a reader waits for the text of the QR code.
    private func emit(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }

    private static func licence(for deviceKey: PublicKey, from pki: MdocTestPKI) async throws -> IssuerSigned {
        let now = Date()
        let validity = ValidityInfo(signed: now, validFrom: now, validUntil: now + 30 * 86_400)
        var builder = IssuerSignedBuilder(docType: .mDL, deviceKey: deviceKey, validityInfo: validity)
        let claims: JSONObject = [
            "family_name": "Bergström", "given_name": "Åsa", "birth_date": "1990-02-28", "issuing_country": "UT",
            "document_number": "UT-4711", "age_over_18": true, "age_over_21": true,
        ]
        let elements = try DataElements(json: [NameSpace.mDL.text: .object(claims)], schema: .mDL)
        for group in elements.groups {
            for (identifier, value) in group.elements { try builder.add(value, as: identifier, in: group.nameSpace) }
        }
        return try await builder.sign(with: SoftwareSigner(pki.documentSignerKey), x5chain: [pki.documentSigner])
    }
}
