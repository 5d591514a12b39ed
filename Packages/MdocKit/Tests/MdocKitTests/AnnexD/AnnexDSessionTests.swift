import COSEKit
import CryptoCore
import MdocKit
import MdocProximity
import Testing

/// The session of Annex D.5.1, which begins with the engagement of D.3.
@Suite struct AnnexDSessionTests {
    @Test func composesTheTranscript() throws {
        let engagement = try DeviceEngagement(decoding: AnnexD.figure("device-engagement-nfc"))
        let readerKey = try AnnexD.privateKey("ephemeral-reader-key-private").publicKey
        let transcript = SessionTranscript(
            deviceEngagementBytes: engagement.taggedBytes,
            eReaderKeyBytes: try SessionEstablishment.eReaderKeyBytes(for: readerKey),
            handover: .nfc(
                select: try AnnexD.figure("nfc-handover-select"),
                request: try AnnexD.figure("nfc-handover-request")
            )
        )
        #expect(try transcript.taggedBytes == AnnexD.figure("session-transcript-bytes"))
        #expect(try transcript == AnnexD.transcript())
    }

    @Test func agreesOnTheSharedSecret() throws {
        let device = try AnnexD.privateKey("ephemeral-device-key-private")
        let reader = try AnnexD.privateKey("ephemeral-reader-key-private")
        let expected = SecretBytes(try AnnexD.figure("session-shared-secret"))
        #expect(try device.sharedSecret(with: reader.publicKey) == expected)
        #expect(try reader.sharedSecret(with: device.publicKey) == expected)
    }

    @Test func decryptsTheRequestAsTheDevice() async throws {
        let message = try SessionEstablishment(decoding: AnnexD.figure("session-establishment"))
        var session = try await SessionEncryption(
            role: .device,
            keyAgreement: AnnexD.privateKey("ephemeral-device-key-private"),
            peerKey: message.eReaderKey.publicKey(),
            sessionTranscript: AnnexD.transcript()
        )
        #expect(try session.decrypt(message.data) == AnnexD.figure("device-request"))
        let response = try session.encrypt(AnnexD.figure("device-response"))
        #expect(try SessionData(data: response).encoded() == AnnexD.figure("session-data"))
    }

    @Test func decryptsTheResponseAsTheReader() throws {
        let secret = SecretBytes(try AnnexD.figure("session-shared-secret"))
        var session = try SessionEncryption(role: .reader, sharedSecret: secret, sessionTranscript: AnnexD.transcript())
        let request = try session.encrypt(AnnexD.figure("device-request"))
        let message = try SessionEstablishment(
            eReaderKeyBytes: SessionEstablishment.eReaderKeyBytes(
                for: AnnexD.privateKey("ephemeral-reader-key-private").publicKey
            ),
            data: request
        )
        #expect(try [UInt8](message.encodedBytes) == AnnexD.figure("session-establishment"))
        let data = try #require(SessionData(decoding: AnnexD.figure("session-data")).data)
        #expect(try session.decrypt(data) == AnnexD.figure("device-response"))
    }

    @Test func readsTheTermination() throws {
        let message = try SessionData(decoding: AnnexD.figure("session-termination"))
        #expect(message.status == .termination)
        #expect(message.data == nil)
        #expect(try message.encoded() == AnnexD.figure("session-termination"))
    }
}
