import COSEKit
import CryptoCore
import TestSupport
import Testing

@Suite struct RFC9338Tests {
    /// The key of a countersigner: one of RFC 9052 appendix C.7, or the Ed25519 key of RFC 8032 section 7.1, test 1.
    private func key(_ countersignature: COSECountersignature) throws -> PublicKey {
        if try countersignature.headers.algorithm() == .edDSA {
            let raw = try bytes("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
            return try PublicKey(curve: .ed25519, rawRepresentation: raw)
        }
        let keys = try COSEKeySet(decoding: bytes(RFC9052Figures.publicKeys))
        let id = try #require(try countersignature.headers.keyID())
        return try #require(keys.keys(withID: id).first).publicKey()
    }

    private func verify(_ target: some COSECountersignable) throws {
        let countersignatures = try target.countersignatures()
        #expect(countersignatures.count == 1)
        for countersignature in countersignatures {
            let key = try key(countersignature)
            let verified = try target.verify(countersignature, with: key, policy: [.es256, .es512, .edDSA])
            #expect(try verified.headers?.algorithm() == verified.algorithm)
            expectRefusal(.invalidSignature, at: "signature") {
                try target.verify(countersignature, with: key, policy: [.es256, .es512, .edDSA], externalAAD: [1])
            }
        }
    }

    @Test func theCountersignatureOfASignVerifies() throws {
        try verify(COSESign(decoding: bytes(RFC9338Figures.a11)))
    }

    @Test func theCountersignatureOfASign1Verifies() throws {
        let message = try COSESign1(decoding: bytes(RFC9338Figures.a21))
        try verify(message)
        let keys = try COSEKeySet(decoding: bytes(RFC9052Figures.publicKeys))
        let signer = try #require(keys.keys(withID: Array("11".utf8)).first)
        #expect(Array(try message.verify(with: signer, policy: [.es256]).payload) == content)
    }

    @Test func theCountersignatureOfAnEncryptVerifies() throws {
        try verify(COSEEncrypt(decoding: bytes(RFC9338Figures.a31)))
    }

    @Test func theCountersignatureOfAnEncrypt0Verifies() throws {
        try verify(COSEEncrypt0(decoding: bytes(RFC9338Figures.a41)))
    }

    @Test func theCountersignatureOfAMacVerifies() throws {
        try verify(COSEMac(decoding: bytes(RFC9338Figures.a51)))
    }

    @Test func theCountersignatureOfAMac0Verifies() throws {
        try verify(COSEMac0(decoding: bytes(RFC9338Figures.a61)))
    }
}
