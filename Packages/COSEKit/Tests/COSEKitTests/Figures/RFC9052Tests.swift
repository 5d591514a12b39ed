import COSEKit
import CryptoCore
import Foundation
import TestSupport
import Testing

@Suite struct RFC9052Tests {
    /// The keys of appendix C.7.2 by their identifier.
    private func key(_ id: String) throws -> COSEKey {
        let keys = try COSEKeySet(decoding: bytes(RFC9052Figures.privateKeys))
        return try #require(keys.keys(withID: Array(id.utf8)).first)
    }

    private func policy(_ algorithms: COSEAlgorithm...) -> COSEPolicy {
        COSEPolicy(algorithms: Set(algorithms))
    }

    @Test func signaturesOfC11AndC12Verify() throws {
        let single = try COSESign(decoding: bytes(RFC9052Figures.c11))
        let payload = try single.verify(signatureAt: 0, with: key("11").publicKey(), policy: [.es256])
        #expect(Array(payload.payload) == content)

        let several = try COSESign(decoding: bytes(RFC9052Figures.c12))
        let keys = try COSEKeySet(decoding: bytes(RFC9052Figures.publicKeys))
        let verification = several.verify(policy: [.es256, .es512], requiring: .all, at: .distantPast) {
            signature throws(COSEError) in
            guard let id = try signature.headers.keyID() else { return nil }
            return try keys.keys(withID: id).first?.publicKey()
        }
        #expect(verification.parts.count == 2)
        #expect(Array(try verification.get().payload) == content)
    }

    @Test func theCriticalLabelOfC13MustBeUnderstood() throws {
        let message = try COSESign(decoding: bytes(RFC9052Figures.c13))
        let key = try key("11").publicKey()
        expectRefusal(.criticalNotUnderstood) { try message.verify(signatureAt: 0, with: key, policy: [.es256]) }
        var policy: COSEPolicy = [.es256]
        policy.understoodLabels = ["reserved"]
        #expect(Array(try message.verify(signatureAt: 0, with: key, policy: policy).payload) == content)
    }

    @Test func theSignatureOfC21Verifies() throws {
        let message = try COSESign1(decoding: bytes(RFC9052Figures.c21))
        #expect(message.isTagged)
        #expect(try message.headers.keyID().map { Array($0) } == Array("11".utf8))
        #expect(Array(try message.verify(with: key("11"), policy: [.es256]).payload) == content)
        #expect(try message.encoded() == bytes(RFC9052Figures.c21))
    }

    @Test func theContentOfAppendixBComesThroughTwoLayers() async throws {
        let message = try COSEEncrypt(decoding: bytes(RFC9052Figures.appendixB))
        #expect(message.recipients.first?.recipients.count == 1)
        let decrypted = try await message.decrypt(
            with: COSERecipientKey(key("meriadoc.brandybuck@buckland.example")),
            policy: [.a128GCM, .a128KW, .ecdhESHKDF256]
        )
        #expect(Array(decrypted.payload) == content)
    }

    @Test(EngineCoverage.demanded) func theContentsOfC3Decrypt() async throws {
        let direct = try await COSEEncrypt(decoding: bytes(RFC9052Figures.c31)).decrypt(
            with: COSERecipientKey(key("meriadoc.brandybuck@buckland.example")),
            policy: [.a128GCM, .ecdhESHKDF256]
        )
        #expect(Array(direct.payload) == content)

        let derived = try await COSEEncrypt(decoding: bytes(RFC9052Figures.c32)).decrypt(
            with: COSERecipientKey(key("our-secret")),
            policy: [.aesCCM_16_64_128, .directHKDFSHA256],
            context: COSEKeyDerivationContext(
                partyU: COSEPartyInfo(identity: Array("lighting-client".utf8)),
                partyV: COSEPartyInfo(identity: Array("lighting-server".utf8)),
                suppPubOther: Array("Encryption Example 02".utf8)
            )
        )
        #expect(Array(derived.payload) == content)

        let external = try await COSEEncrypt(decoding: bytes(RFC9052Figures.c33)).decrypt(
            with: COSERecipientKey(key("meriadoc.brandybuck@buckland.example")),
            policy: [.a128GCM, .ecdhSSA128KW],
            context: COSEKeyDerivationContext(senderKey: key("peregrin.took@tuckborough.example").publicKey()),
            externalAAD: bytes("0011bbcc22dd44ee55ff660077")
        )
        #expect(Array(external.payload) == content)
    }

    @Test(EngineCoverage.demanded) func theContentsOfC4Decrypt() throws {
        let key = try key("our-secret2").symmetricKey()
        let simple = try COSEEncrypt0(decoding: bytes(RFC9052Figures.c41)).decrypt(
            with: key,
            policy: [.aesCCM_16_64_128]
        )
        #expect(Array(simple.payload) == content)

        // The context IV is the nonce of the example without the Partial IV 61a7.
        let partial = try COSEEncrypt0(decoding: bytes(RFC9052Figures.c42)).decrypt(
            with: key,
            policy: [.aesCCM_16_64_128],
            baseIV: bytes("89f52f65a1c58093000000")
        )
        #expect(Array(partial.payload) == content)
    }

    @Test func theTagsOfC5AndC6Verify() async throws {
        let direct = try await COSEMac(decoding: bytes(RFC9052Figures.c51)).verify(
            with: COSERecipientKey(key("our-secret")),
            policy: [.aesMAC256_64, .direct]
        )
        #expect(Array(direct.payload) == content)

        let agreed = try await COSEMac(decoding: bytes(RFC9052Figures.c52)).verify(
            with: COSERecipientKey(key("meriadoc.brandybuck@buckland.example")),
            policy: [.hmac256_256, .ecdhSSHKDF256],
            context: COSEKeyDerivationContext(senderKey: key("peregrin.took@tuckborough.example").publicKey())
        )
        #expect(Array(agreed.payload) == content)

        let wrapped = try await COSEMac(decoding: bytes(RFC9052Figures.c53)).verify(
            with: COSERecipientKey(key("018c0ae5-4d9b-471b-bfd6-eef314bc7037")),
            policy: [.aesMAC128_64, .a256KW]
        )
        #expect(Array(wrapped.payload) == content)

        let implicit = try COSEMac0(decoding: bytes(RFC9052Figures.c61)).verify(
            with: key("our-secret"),
            policy: [.aesMAC256_64]
        )
        #expect(Array(implicit.payload) == content)
    }

    @Test(arguments: ["bilbo.baggins@hobbiton.example", "018c0ae5-4d9b-471b-bfd6-eef314bc7037"])
    func eachRecipientOfC54CanVerify(holder: String) async throws {
        let message = try COSEMac(decoding: bytes(RFC9052Figures.c54))
        let key = try COSERecipientKey(key(holder))
        let verified = try await message.verify(policy: [.hmac256_256, .ecdhESA128KW, .a256KW]) {
            recipient throws(COSEError) in
            try recipient.headers.keyID().map { Array($0) } == Array(holder.utf8) ? key : nil
        }
        #expect(Array(verified.payload) == content)
    }

    @Test func theKeySetsOfC7AreRead() throws {
        let publicKeys = try COSEKeySet(decoding: bytes(RFC9052Figures.publicKeys))
        #expect(publicKeys.keys.count == 4)
        #expect(publicKeys.ignored.isEmpty)
        #expect(publicKeys.keys.allSatisfy { !$0.isSecret })
        #expect(try publicKeys.encoded() == bytes(RFC9052Figures.publicKeys))

        let privateKeys = try COSEKeySet(decoding: bytes(RFC9052Figures.privateKeys))
        #expect(privateKeys.keys.count == 7)
        #expect(privateKeys.keys.allSatisfy { $0.isSecret })
        for key in privateKeys.keys where key.keyType == .ec2 {
            let id = try #require(key.keyID)
            #expect(try publicKeys.keys(withID: id).first?.publicKey() == key.privateKey().publicKey)
        }
    }
}
