import CBORKit
import Foundation
import IdemixCore

extension FuzzTarget {
    /// The parsers and the verifier of IdemixCore.
    package static let idemixCore: [FuzzTarget] = [
        FuzzTarget(name: "idemix-public-key") { input in
            let key = try IdemixIssuerPublicKey(xml: input)
            require(try IdemixIssuerPublicKey(xml: key.xml) == key, "a key changes when it is written and read")
        },
        FuzzTarget(name: "idemix-private-key") { input in
            let key = try IdemixIssuerPrivateKey(xml: input, validation: .arithmetic)
            let again = try IdemixIssuerPrivateKey(xml: key.xml(), validation: .arithmetic)
            require(again.factors == key.factors, "a key changes when it is written and read")
        },
        FuzzTarget(name: "idemix-revocation-update") { input in
            let update = try RevocationUpdate(decodingCBOR: input)
            let again = try RevocationUpdate(decodingCBOR: update.cborEncoded())
            require(again == update, "an update changes when it is written and read")
            let opened = try? update.verified(by: IdemixFuzzScene.shared.publicKey)
            require(opened == nil || input == IdemixFuzzScene.shared.update, "an update of nobody's verifies")
        },
        FuzzTarget(name: "idemix-json") { input in
            let list = try IdemixProofList(decoding: input)
            require(
                try IdemixProofList(decoding: list.encoded()) == list,
                "a list changes when it is written and read"
            )
        },
        FuzzTarget(name: "idemix-attribute") { input in
            let integer = BigInteger(bytes: input)
            for encoding in AttributeEncoding.allCases {
                guard let text = try? encoding.text(of: integer) else { continue }
                // Zero bytes in front of a text are lost, and so is the difference between version 2's absent and empty.
                let again = try encoding.text(of: encoding.integer(for: text))
                require(again == text || text.utf8.first == 0 || text.isEmpty, "an attribute changes")
            }
            if let metadata = try? MetadataAttribute(integer: integer) {
                // The second byte is not read.
                let again = try MetadataAttribute(integer: metadata.integer)
                require(again == metadata, "the metadata changes when it is written and read")
            }
            _ = AttributeEncoding.randomBlindText(of: BigInteger(bytes: input.prefix(64)))
            require(BigInteger(decimal: integer.decimal, maximumDigits: .max) == integer, "a number changes")
        },
        FuzzTarget(name: "idemix-proof") { input in
            let scene = IdemixFuzzScene.shared
            let (proof, isUnchanged) = scene.proof(changedBy: input)
            let verification = IdemixProofList([proof])
                .verify(expecting: [scene.expectation], challenge: IdemixChallenge(nonce: 42), at: FuzzKeys.time)
            require(
                (verification.verified != nil) == isUnchanged,
                "a changed proof verifies, or the unchanged one does not"
            )
        },
    ]
}
