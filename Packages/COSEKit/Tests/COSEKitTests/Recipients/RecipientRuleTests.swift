import CBORKit
import COSEKit
import CryptoCore
import TestSupport
import Testing

/// The rules of the recipient classes (RFC 9052 section 8.5), on messages made by hand.
@Suite struct RecipientRuleTests {
    private let policy = COSEPolicy.everything
    private let key = TestKeys.symmetric(32)

    /// A COSE_Mac under HMAC 256/256 with the given recipients and a tag of zeros.
    private func mac(_ recipients: String) throws -> COSEMac {
        try COSEMac(decoding: bytes("85 43a10105 a0 40 5820") + [UInt8](repeating: 0, count: 32) + bytes(recipients))
    }

    private func expect(
        _ code: COSEError.Code,
        at field: String? = nil,
        _ recipients: String,
        key: COSERecipientKey? = nil,
        context: COSEKeyDerivationContext = COSEKeyDerivationContext(),
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let message = try mac(recipients)
        await expectRefusal(code, at: field, sourceLocation: sourceLocation) {
            try await message.verify(with: key ?? .symmetric(self.key), policy: policy, context: context)
        }
    }

    /// The function of a caller may throw any error: one of another type is the cause.
    @Test func takesAnyErrorOfACallersFunction() async throws {
        struct Locked: Error {}
        let recipients = "81 8340a1012540"
        let message = try mac(recipients)
        let ciphertext = try bytes("50") + [UInt8](repeating: 0, count: 16)
        let iv = "a1054c000000000000000000000000"
        let encrypted = try COSEEncrypt(decoding: bytes("84 43a10101 \(iv)") + ciphertext + bytes(recipients))
        for error in [
            await #expect(throws: COSEError.self) { try await message.verify(policy: policy) { _ in throw Locked() } },
            await #expect(throws: COSEError.self) {
                try await encrypted.decrypt(policy: policy) { _ in throw Locked() }
            },
        ] {
            #expect(error?.code == .operationFailed && error?.cause is Locked, "\(error.debugDescription)")
        }
        await expectRefusal(.keyMismatch) {
            try await message.verify(policy: policy) { recipient in
                guard recipient.recipients.count == 1 else { throw COSEError(.keyMismatch, "no key for it") }
                return .symmetric(key)
            }
        }
    }

    @Test func aDirectMethodStandsAlone() async throws {
        try await expect(.invalidMAC, at: "tag", "81 8340a1012540")
        try await expect(.invalidRecipient, at: "recipients[0]", "82 8340a1012540 8340a1012258 0100")
        try await expect(.invalidRecipient, at: "recipients[1]", "82 8340a10122 4100 8343a10129a040")
        try await expect(.invalidRecipient, at: "recipients[1]", "82 8340a10122 4100 8344a1013818a040")
    }

    @Test func aDirectKeyHasNoProtectedHeadersAndNoEncryptedKey() async throws {
        try await expect(.invalidRecipient, at: "protected", "81 8343a10125a040")
        try await expect(.invalidRecipient, at: "ciphertext", "81 8340a101254100")
        try await expect(.invalidRecipient, at: "recipients", "81 8440a101254081 8340a1012540")
        try await expect(.invalidMAC, "81 8340a10125f6")
    }

    @Test func keyWrapHasAnEncryptedKeyAndProtectsNothing() async throws {
        try await expect(.invalidRecipient, at: "protected", "81 8343a10124a04100")
        try await expect(.invalidRecipient, at: "ciphertext", "81 8340a1012440")
        try await expect(.invalidRecipient, at: "ciphertext", "81 8340a10124f6")
        try await expect(.decryptionFailed, at: "ciphertext", "81 8340a101244100")
        try await expect(.keyMismatch, at: "alg", "81 8340a101224100")
    }

    @Test func keyTransportHasAnEncryptedKeyAndProtectsNothing() async throws {
        let rsa = COSERecipientKey.rsa(try TestKeys.rsa.get())
        try await expect(.invalidRecipient, at: "protected", "81 8344a1013828a04100", key: rsa)
        try await expect(.invalidRecipient, at: "ciphertext", "81 8340a101382840", key: rsa)
        try await expect(.decryptionFailed, at: "ciphertext", "81 8340a10138284100", key: rsa)
    }

    @Test func aDerivationNeedsASaltOrANonce() async throws {
        try await expect(.missingSaltOrNonce, at: "salt", "81 8343a10129a040")
        try await expect(.invalidMAC, "81 8343a10129a1334101 40")
        try await expect(.invalidMAC, "81 8343a10129a1354101 40")
        try await expect(.invalidMAC, "81 8343a10129a13505 40")
        try await expect(.invalidMAC, "81 8343a10129a040", context: COSEKeyDerivationContext(salt: [1]))
        let nonce = COSEPartyInfo(nonce: .bytes([1]))
        try await expect(.invalidMAC, "81 8343a10129a040", context: COSEKeyDerivationContext(partyU: nonce))
        let tolerant = COSEKeyDerivationContext(allowsMissingSaltAndNonce: true)
        try await expect(.invalidMAC, "81 8343a10129a040", context: tolerant)
    }

    @Test func whatTheApplicationKnowsMustBeWhatTheMessageSays() async throws {
        let known = COSEKeyDerivationContext(
            partyU: COSEPartyInfo(identity: [1], nonce: .integer(5), other: [3]),
            salt: [4]
        )
        try await expect(.invalidMAC, "81 8343a10129a4334104 344101 3505 364103 40", context: known)
        try await expect(.invalidRecipient, at: "salt", "81 8343a10129a1334105 40", context: known)
        try await expect(.invalidRecipient, at: "PartyU identity", "81 8343a10129a1344102 40", context: known)
        try await expect(.invalidRecipient, at: "PartyU nonce", "81 8343a10129a13506 40", context: known)
        try await expect(.invalidRecipient, at: "PartyU other", "81 8343a10129a1364104 40", context: known)
    }

    @Test func theSecretOfAnAESDerivationHasTheLengthOfItsKey() async throws {
        try await expect(.keyMismatch, "81 8343a1012ba1354101 40")
        try await expect(.invalidMAC, "81 8343a1012ca1354101 40")
    }

    @Test func anAgreementNeedsTheSendersKeyOnTheSameCurve() async throws {
        let own = COSERecipientKey.keyAgreement(try TestKeys.p256.get())
        try await expect(.invalidRecipient, at: "ephemeral key", "81 8344a1013818a040", key: own)
        try await expect(.invalidRecipient, at: "static key", "81 8344a101381aa1354101 40", key: own)
        let x25519 = try COSEKey(publicKey: PrivateKey.generate(.x25519).publicKey).encoded().hex
        try await expect(.keyMismatch, "81 8344a1013818a120\(x25519) 40", key: own)
        let offCurve = "a401022001215820" + String(repeating: "01", count: 32) + "22f5"
        try await expect(.invalidKey, "81 8344a1013818a120\(offCurve) 40", key: own)
    }

    @Test func aStaticKeyMustBeTheKnownOne() async throws {
        let own = COSERecipientKey.keyAgreement(try TestKeys.p256.get())
        let sent = try PrivateKey.generate(.p256).publicKey
        let key = try COSEKey(publicKey: sent).encoded().hex
        let recipients = "81 8344a101381aa221\(key)354101 40"
        try await expect(.invalidMAC, recipients, key: own, context: COSEKeyDerivationContext(senderKey: sent))
        let other = COSEKeyDerivationContext(senderKey: try PrivateKey.generate(.p256).publicKey)
        try await expect(.invalidRecipient, at: "static key", recipients, key: own, context: other)
    }

    @Test func anUnprotectedAlgorithmIsRefusedWhereItCouldBeProtected() async throws {
        try await expect(.algorithmNotProtected, at: "alg", "81 8340a2012933 4101 40")
        try await expect(.invalidMAC, "81 8340a1012540")
    }

    @Test func anUnknownAlgorithmDoesNotFailTheOtherRecipients() async throws {
        let wrapping = TestKeys.symmetric(16)
        let message = try await COSEMac.authenticate(
            content,
            headers: COSEHeaders(protected: [.alg: 5]),
            for: [.keyWrap(.a128KW, with: wrapping), .keyWrap(.a128KW, with: TestKeys.symmetric(16))]
        )
        // The first recipient's algorithm becomes -999, as text in the second round.
        for unknown in ["3903e6", "6141"] {
            let damaged = message.encoded().hex.replacingFirst("8340a10122", with: "8340a101" + unknown)
            let received = try COSEMac(decoding: bytes(damaged))
            let verified = try await received.verify(with: .symmetric(wrapping), policy: policy)
            #expect(Array(verified.payload) == content)
        }
    }

    @Test func anUnknownAlgorithmIsNamed() async throws {
        let message = try mac("81 8340a1013903e640")
        await expectRefusal(.unsupportedAlgorithm, at: "alg") {
            try await message.verify(policy: policy) { [key] _ throws(COSEError) in .symmetric(key) }
        }
    }

    @Test func anAlgorithmThatTheBuildHasNoEngineForIsNamed() async throws {
        // RSAES-OAEP with SHA-512, and an encrypted key of the right length that is not one.
        let message = try mac("81 8340a1013829590100" + String(repeating: "01", count: 256))
        let key = try TestKeys.rsa.get()
        await expectRefusal(EngineCoverage.isWhole ? .decryptionFailed : .unsupportedAlgorithm) {
            try await message.verify(with: .rsa(key), policy: [.hmac256_256, .rsaOAEPSHA512])
        }
    }

    @Test func aRecipientHasThreeOrFourElements() throws {
        expectRefusal(.wrongElementCount, at: "recipients[0]") { try mac("81 8240a0") }
        expectRefusal(.wrongElementCount, at: "recipients[0]") { try mac("81 8540a0404000") }
        expectRefusal(.wrongElementCount, at: "recipients") { try mac("80") }
        expectRefusal(.wrongElementCount, at: "recipients") { try mac("81 8440a04080") }
    }

    @Test func theNumberOfRecipientsIsLimited() throws {
        let message = try mac("82 8340a040 8340a040").encoded()
        _ = try COSEMac(decoding: message, options: COSEReadingOptions(recipients: 2))
        expectRefusal(.limitExceeded, at: "recipients") {
            try COSEMac(decoding: message, options: COSEReadingOptions(recipients: 1))
        }
    }

    @Test func theCriticalLabelsOfARecipientMustBeUnderstood() async throws {
        try await expect(.criticalNotUnderstood, "81 8348a2028118631863 00a1012540")
    }

    /// A recipient may mark the parameters of its own algorithm as critical, and no others.
    @Test func theCriticalLabelsOfARecipientMayBeThoseThatItsAlgorithmTakes() async throws {
        let party = try PrivateKey.generate(.p256)
        let (salt, nonce, identity) = (CBOR.bytes([1, 2]), CBOR.bytes([3]), CBOR.bytes([4]))
        let headers = COSEHeaders(
            protected: [
                .salt: salt, .partyUNonce: nonce, .partyVIdentity: identity, .crit: .array([-20, -22, -24, 1]),
            ]
        )
        let methods: [(COSEKeyDistribution, COSERecipientKey)] = [
            (.derived(from: key, .directHKDFSHA256, headers: headers), .symmetric(key)),
            (
                .keyAgreement(.ecdhESHKDF256, with: party.publicKey, headers: headers),
                .keyAgreement(party)
            ),
        ]
        for (method, key) in methods {
            let message = try await COSEEncrypt.encrypt([7], headers: COSEHeaders(protected: [.alg: 1]), for: [method])
            let opened = try await COSEEncrypt(decoding: message.encoded()).decrypt(with: key, policy: policy)
            #expect(Array(opened.payload) == [7])
        }
        // AES-CBC-MAC takes no salt, ECDH-ES no static key, and nothing here a static key's identifier.
        let foreign: [(COSEKeyDistribution, COSERecipientKey)] = [
            (
                .derived(
                    from: key,
                    .directHKDFAES256,
                    headers: COSEHeaders(protected: [.salt: salt, .partyUNonce: nonce, .crit: .array([-20])])
                ), .symmetric(key)
            ),
            (
                .keyAgreement(
                    .ecdhESHKDF256,
                    with: party.publicKey,
                    headers: COSEHeaders(protected: [.staticKeyID: identity, .crit: .array([-3])])
                ), .keyAgreement(party)
            ),
        ]
        for (method, key) in foreign {
            let message = try await COSEEncrypt.encrypt([7], headers: COSEHeaders(protected: [.alg: 1]), for: [method])
            await expectRefusal(.criticalNotUnderstood) { try await message.decrypt(with: key, policy: policy) }
        }
    }
}

extension String {
    fileprivate func replacingFirst(_ text: String, with other: String) -> String {
        guard let range = firstRange(of: text) else { return self }
        return replacingCharacters(in: range, with: other)
    }

    private func replacingCharacters(in range: Range<String.Index>, with other: String) -> String {
        self[..<range.lowerBound] + other + self[range.upperBound...]
    }

    /// The recipients of one message in front of those of another with the same key.
    private func message(_ recipients: [CBOR], before message: COSEEncrypt) throws -> COSEEncrypt {
        var elements = try #require(try CBOR(decoding: message.encoded()).messageElements)
        let own = try #require(elements[3].arrayValue)
        elements[3] = .array(recipients + own)
        return try COSEEncrypt(decoding: CBOR.array(elements).encoded())
    }

    /// An attacker who knows a recipient's key, or a public key, can put a recipient before the good one.
    @Test func aRecipientWithTheKeyOfOtherContentKeepsNoOtherFromIt() async throws {
        let headers = COSEHeaders(protected: [.alg: 1])
        let kek = TestKeys.symmetric(16)
        let good = try await COSEEncrypt.encrypt(content, headers: headers, for: [.keyWrap(.a128KW, with: kek)])
        let other = try await COSEEncrypt.encrypt([1], headers: headers, for: [.keyWrap(.a128KW, with: kek)])
        let stranger = try await COSEEncrypt.encrypt(
            [1],
            headers: headers,
            for: [.keyWrap(.a128KW, with: SecretBytes([UInt8](repeating: 9, count: 16)))]
        )
        let policy: COSEPolicy = [.a128GCM, .a128KW]
        for before in [other, stranger] {
            let foreign = try #require(try CBOR(decoding: before.encoded()).messageElements?[3].arrayValue)
            let message = try message(foreign, before: good)
            #expect(message.recipients.count == 2)
            let opened = try await message.decrypt(with: .symmetric(kek), policy: policy)
            #expect(opened.payload.elementsEqual(content))
        }
        // If no recipient gives the key, the first failure is reported.
        let foreign = try #require(try CBOR(decoding: other.encoded()).messageElements?[3].arrayValue)
        let wrong = SecretBytes([UInt8](repeating: 7, count: 16))
        await expectRefusal(.decryptionFailed) {
            try await self.message(foreign, before: good).decrypt(with: .symmetric(wrong), policy: policy)
        }
    }

    @Test func aRecipientWithTheKeyOfAnotherTagKeepsNoOtherFromIt() async throws {
        let headers = COSEHeaders(protected: [.alg: 5])
        let kek = TestKeys.symmetric(16)
        let good = try await COSEMac.authenticate(content, headers: headers, for: [.keyWrap(.a128KW, with: kek)])
        let other = try await COSEMac.authenticate([1], headers: headers, for: [.keyWrap(.a128KW, with: kek)])
        var elements = try #require(try CBOR(decoding: good.encoded()).messageElements)
        let foreign = try #require(try CBOR(decoding: other.encoded()).messageElements?[4].arrayValue)
        elements[4] = .array(foreign + (elements[4].arrayValue ?? []))
        let message = try COSEMac(decoding: CBOR.array(elements).encoded())
        let verified = try await message.verify(with: .symmetric(kek), policy: [.hmac256_256, .a128KW])
        #expect(verified.payload.elementsEqual(content))
    }
}

extension CBOR {
    /// The elements of a message, with or without its tag.
    fileprivate var messageElements: [CBOR]? {
        if case .tagged(_, let message) = self { return message.arrayValue }
        return arrayValue
    }
}
