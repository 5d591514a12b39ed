import CBORKit
import COSEKit
import CryptoCore
import MdocKit
import Testing

@Suite struct SessionEncryptionTests {
    private func sessions() async throws -> (reader: SessionEncryption, device: SessionEncryption) {
        let reader = try PrivateKey.generate(.p256)
        let device = try PrivateKey.generate(.p256)
        let transcript = SessionTranscript(handover: .qr)
        return (
            try await SessionEncryption(
                role: .reader,
                keyAgreement: reader,
                peerKey: device.publicKey,
                sessionTranscript: transcript
            ),
            try await SessionEncryption(
                role: .device,
                keyAgreement: device,
                peerKey: reader.publicKey,
                sessionTranscript: transcript
            )
        )
    }

    @Test func severalMessagesInBothDirections() async throws {
        var (reader, device) = try await sessions()
        for message in [[1], [], [2, 3]] as [[UInt8]] {
            #expect(try device.decrypt(reader.encrypt(message)[...]) == message)
            #expect(try device.decrypt(reader.encrypt(message)[...]) == message)
            #expect(try reader.decrypt(device.encrypt(message)[...]) == message)
        }
    }

    @Test func theSameMessageTwiceIsEncryptedDifferently() async throws {
        var (reader, _) = try await sessions()
        #expect(try reader.encrypt([1]) != reader.encrypt([1]))
    }

    @Test func aForgedMessageChangesNothing() async throws {
        var (reader, device) = try await sessions()
        let message = try reader.encrypt([1, 2, 3])
        for forged in [[], [0], Array(message.dropLast()), message.map { $0 ^ 1 }] as [[UInt8]] {
            let error = #expect(throws: MdocError.self) { try device.decrypt(forged[...]) }
            #expect(error?.code == .decryptionFailed)
        }
        #expect(try device.decrypt(message[...]) == [1, 2, 3])
        let replayed = #expect(throws: MdocError.self) { try device.decrypt(message[...]) }
        #expect(replayed?.code == .decryptionFailed)
    }

    @Test func ownMessagesAreNotTheOtherSides() async throws {
        var (reader, _) = try await sessions()
        let message = try reader.encrypt([1])
        let error = #expect(throws: MdocError.self) { try reader.decrypt(message[...]) }
        #expect(error?.code == .decryptionFailed)
    }

    @Test func keysOnDifferentCurves() async throws {
        let error = await #expect(throws: MdocError.self) {
            try await SessionEncryption(
                role: .reader,
                keyAgreement: PrivateKey.generate(.p256),
                peerKey: PrivateKey.generate(.p384).publicKey,
                sessionTranscript: SessionTranscript(handover: .qr)
            )
        }
        #expect(error?.code == .signingFailed)
    }

    @Test(arguments: [nil, .termination, .encryptionError, .cborDecodingError] as [SessionData.Status?])
    func messagesWithStatus(_ status: SessionData.Status?) throws {
        for data in [nil, [], [1, 2]] as [[UInt8]?] {
            let message = try SessionData(decoding: SessionData(data: data, status: status).encoded())
            #expect(message.status == status)
            #expect(message.data.map { [UInt8]($0) } == data)
        }
    }

    @Test func establishmentNeedsItsMembers() throws {
        let key = try SessionEstablishment.eReaderKeyBytes(for: PrivateKey.generate(.p384).publicKey)
        let message = try SessionEstablishment(eReaderKeyBytes: key, data: [1])
        #expect(try message.eReaderKey.publicKey().curve == .p384)
        var value = try CBOR(decoding: [UInt8](message.encodedBytes))
        value.set("data", nil)
        let error = #expect(throws: MdocError.self) { try SessionEstablishment(decoding: value.encoded()) }
        #expect(error?.code == .missingMember)
        let curve = #expect(throws: MdocError.self) {
            try SessionEstablishment.eReaderKeyBytes(for: PrivateKey.generate(.ed25519).publicKey)
        }
        #expect(curve?.code == .unsupportedKey)
    }
}
