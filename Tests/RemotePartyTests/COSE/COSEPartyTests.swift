import CBORKit
import COSEKit
import CryptoCore
import Foundation
import Testing

/// Senders and recipients of COSE messages, with nothing between them but bytes.
@Suite struct COSEPartyTests {
    private static let content = Array("content".utf8)

    @Test func signsToAReceiverThatKnowsTheKey() async throws {
        let key = try PrivateKey.generate(.p256)
        let published = try COSEKey(publicKey: key.publicKey).encoded()
        let sent = try await COSESign1.sign(Self.content, with: SoftwareSigner(key)).encoded()
        let received = try COSEKey(decoding: published).publicKey()
        let verified = try COSESign1(decoding: sent).verify(with: received, policy: [.es256])
        #expect(verified.payload.elementsEqual(Self.content))
        let other = try PrivateKey.generate(.p256).publicKey
        #expect(throws: COSEError.self) { try COSESign1(decoding: sent).verify(with: other, policy: [.es256]) }
    }

    @Test func encryptsToSeveralRecipients() async throws {
        let keys = try (1...2).map { _ in try PrivateKey.generate(.p256) }
        var recipients: [COSEKeyDistribution] = []
        for key in keys {
            let received = try COSEKey(decoding: COSEKey(publicKey: key.publicKey).encoded()).publicKey()
            recipients.append(.keyAgreement(.ecdhESA128KW, with: received))
        }
        let headers = COSEHeaders(protected: [.alg: .integer(COSEAlgorithm.a128GCM.rawValue)])
        let sent = try await COSEEncrypt.encrypt(Self.content, headers: headers, for: recipients).encoded()
        for key in keys {
            let opened = try await COSEEncrypt(decoding: sent)
                .decrypt(with: .keyAgreement(key), policy: [.a128GCM, .ecdhESA128KW])
            #expect(opened.payload.elementsEqual(Self.content))
        }
        await #expect(throws: COSEError.self) {
            try await COSEEncrypt(decoding: sent)
                .decrypt(with: .keyAgreement(PrivateKey.generate(.p256)), policy: [.a128GCM, .ecdhESA128KW])
        }
    }
}
