import CryptoCore

extension FuzzTarget {
    /// The parsers of CryptoCore's keys and signatures.
    package static let keys = [
        FuzzTarget(name: "public-key") { bytes in
            let key = try PublicKey(subjectPublicKeyInfo: bytes, options: .insecureShortRSA)
            let again = try PublicKey(subjectPublicKeyInfo: key.subjectPublicKeyInfo, options: .insecureShortRSA)
            require(again == key, "what is written reads back")
            require(try PublicKey(pem: key.pem, options: .insecureShortRSA) == key, "so does its PEM")
        },
        FuzzTarget(name: "private-key") { bytes in
            let key = try PrivateKey(pkcs8: bytes, options: .insecureShortRSA)
            let again = try PrivateKey(pkcs8: key.pkcs8, options: .insecureShortRSA)
            require(again.publicKey == key.publicKey, "what is written reads back")
        },
        FuzzTarget(name: "private-key-sec1") { bytes in
            let key = try PrivateKey(sec1: bytes, curve: nil)
            guard let written = key.sec1 else { return require(false, "a SEC 1 key has a SEC 1 form") }
            require(try PrivateKey(sec1: written).publicKey == key.publicKey, "what is written reads back")
        },
        FuzzTarget(name: "pem") { bytes in
            let found = try PEM.all(in: bytes)
            let text = found.map(\.text).joined()
            require(try PEM.all(in: text) == found, "what is written reads back")
        },
        FuzzTarget(name: "ecdsa-signature") { bytes in
            let signature = try ECDSASignature(derRepresentation: bytes, curve: .p256)
            require(signature.derRepresentation == bytes, "DER has one form")
            let raw = try ECDSASignature(rawRepresentation: signature.rawRepresentation, curve: .p256)
            require(raw == signature, "both forms say the same")
        },
    ]
}
