import CBORKit
import COSEKit
import CryptoCore
import MdocKit
import MdocProximity
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

    /// Both sides of one session, with the numbers of their next messages.
    private func sides(_ readerCounter: UInt32, _ deviceCounter: UInt32) throws -> [SessionEncryption] {
        try [.reader, .device].map { (role: SessionEncryption.Role) in
            try SessionEncryption(
                role: role,
                sharedSecret: SecretBytes([UInt8](1...32)),
                sessionTranscript: SessionTranscript(handover: .qr),
                readerCounter: readerCounter,
                deviceCounter: deviceCounter
            )
        }
    }

    @Test(arguments: [true, false])
    func aCounterDoesNotComeRound(_ isReader: Bool) throws {
        let sides = try isReader ? sides(.max - 1, 1) : sides(1, .max - 1)
        var (sender, receiver) = isReader ? (sides[0], sides[1]) : (sides[1], sides[0])
        for message in [[1], [2]] as [[UInt8]] {
            #expect(try receiver.decrypt(sender.encrypt(message)[...]) == message)
        }
        for _ in 0..<2 {
            let sending = #expect(throws: MdocError.self) { try sender.encrypt([3]) }
            #expect(sending?.code == .sessionEnded)
        }
        // Messages with the numbers that would follow if the counter came round.
        for number in [0, 1] as [UInt32] {
            let others = try isReader ? self.sides(number, 1) : self.sides(1, number)
            var other = isReader ? others[0] : others[1]
            guard let message = try? other.encrypt([3]) else { continue }
            let receiving = #expect(throws: MdocError.self) { try receiver.decrypt(message[...]) }
            #expect(receiving?.code == .sessionEnded)
        }
        // The other direction has its own key and counter.
        #expect(try sender.decrypt(receiver.encrypt([4])[...]) == [4])
    }

    @Test func theLastMessageHasTheLastNonce() throws {
        let transcript = SessionTranscript(handover: .qr)
        for (index, info, sender) in [(0, "SKReader", 0), (1, "SKDevice", 1)] as [(Int, String, UInt8)] {
            var side = try sides(.max, .max)[index]
            let sealed = try side.encrypt([5])
            let key = try HKDF.deriveKey(
                hash: .sha256,
                inputKeyMaterial: [UInt8](1...32),
                salt: HashAlgorithm.sha256.digest(of: transcript.taggedBytes),
                info: Array(info.utf8),
                length: 32
            )
            let nonce = [0, 0, 0, 0, 0, 0, 0, sender, 0xff, 0xff, 0xff, 0xff]
            #expect(try AEADAlgorithm.aes256GCM.openCombined(sealed, key: key, nonce: nonce) == [5])
        }
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
