import CBORKit
import COSEKit
import CryptoCore
import Foundation
import MdocKit
import TestSupport
import Testing

/// The checks of the vectors, by form.
enum MdocVectorChecks {
    /// A certificate, with its private key if there is one.
    static func certificate(_ vector: MdocVector, _ context: MdocVectorContext) throws {
        let certificate = try Certificate(der: vector.bytes("certificate"))
        #expect(try certificate.isSigned(by: certificate.publicKey()), "\(vector.id) signs itself")
        guard let scalar = vector["privateKey"]?.hex else { return }
        let key = try certificate.publicKey()
        let curve = try #require(key.curve)
        #expect(try PrivateKey(curve: curve, rawRepresentation: scalar).publicKey == key, "\(vector.id)")
    }

    /// IssuerAuth with its parts.
    static func issuerAuth(_ vector: MdocVector, _ context: MdocVectorContext) throws {
        let issuerAuth = try COSESign1(decoding: vector.bytes("hex"))
        let certificate = try vector.bytes("dsCertificate")
        #expect(try issuerAuth.headers.x5chain() == [certificate[...]], "\(vector.id)")
        #expect(try issuerAuth.unverifiedPayload == vector.bytes("mobileSecurityObjectBytes")[...], "\(vector.id)")
        #expect(try issuerAuth.signature == vector.bytes("signature")[...], "\(vector.id)")
        let encoded = CBOR.map(["issuerAuth": try CBOR(decoding: vector.bytes("hex"))]).encoded()
        let issuerSigned = try MdocVectorContext.read(vector.id, \IssuerSigned.deviations) {
            options throws(MdocError) in
            try IssuerSigned(decoding: encoded, options: options)
        }
        let time = issuerSigned.mobileSecurityObject.validityInfo.validFrom
        let verifier = MdocVerifier(
            trustAnchors: context.certificates.map { TrustAnchor($0) },
            clock: { time }
        )
        let verification = verifier.verifyForStorage(issuerSigned)
        guard case .verified(let credential) = verification.verdict else {
            Issue.record("\(vector.id): \(verification.checks)")
            return
        }
        #expect(credential.signer.leaf.derBytes == certificate, "\(vector.id)")
    }

    /// The structure that an issuer's signature of the set covers.
    static func sigStructure(_ vector: MdocVector, _ context: MdocVectorContext) throws {
        let expected = try vector.bytes("hex")
        let signed = try context.responses.flatMap(\.response.documents).map { document in
            try document.issuerSigned.issuerAuth.toBeSigned()
        }
        #expect(signed.contains(expected), "\(vector.id) is the structure of no response")
    }

    /// A pair of keys with coordinates in hexadecimal.
    static func keyPair(_ vector: MdocVector, _ context: MdocVectorContext) throws {
        try checkKeyPair(vector.fields, vector.id)
    }

    /// The two ephemeral pairs of a session.
    static func keyPairs(_ vector: MdocVector, _ context: MdocVectorContext) throws {
        for name in ["ephemeralDeviceKey", "ephemeralReaderKey"] {
            try checkKeyPair(#require(vector[name]), vector.id)
        }
    }

    private static func checkKeyPair(_ node: VectorJSON, _ id: String) throws {
        let key = try #require(MdocVectorContext.privateKey(node)).publicKey
        #expect(key.x == node["x"]?.hex, "\(id)")
        #expect(key.y == node["y"]?.hex, "\(id)")
    }

    /// A data element, against its content in JSON.
    static func dataElement(_ vector: MdocVector, _ context: MdocVectorContext) throws {
        let bytes = try vector.bytes("hex")
        let value = try CBOR(decoding: bytes)
        #expect(try #require(vector["decoded"]).describes(value), "\(vector.id): \(value)")
        #expect(value.encoded() == bytes, "\(vector.id)")
    }

    /// The statement that answers `age_over_NN`.
    static func ageAnswers(_ vector: MdocVector, _ context: MdocVectorContext) throws {
        for testCase in try #require(vector["cases"]?.array) {
            let present = try #require(testCase["present"]?.object).compactMap { name, value in
                AgeAttestation.age(in: DataElementIdentifier(name)).map {
                    AgeAttestation(age: $0, isOver: value.bool == true)
                }
            }
            for (age, expected) in try #require(testCase["answers"]?.object) {
                let answer = AgeAttestation.answer(to: try #require(Int(age)), from: present)
                #expect(answer?.identifier.text == expected.array?.first?.string, "\(vector.id), \(age)")
                #expect(answer?.isOver == expected.array?.last?.bool, "\(vector.id), \(age)")
            }
        }
    }
}
