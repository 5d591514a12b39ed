import CBORKit
import IdemixCore

extension FuzzTarget {
    /// The parsers of IdemixCore.
    package static let idemixCore: [FuzzTarget] = [
        FuzzTarget(name: "idemix-public-key") { input in
            let key = try IssuerPublicKey(xml: input)
            require(try IssuerPublicKey(xml: key.xml) == key, "a key changes when it is written and read")
        },
        FuzzTarget(name: "idemix-private-key") { input in
            let key = try IssuerPrivateKey(xml: input, validation: .arithmetic)
            let again = try IssuerPrivateKey(xml: key.xml(), validation: .arithmetic)
            require(again.factors == key.factors, "a key changes when it is written and read")
        },
        FuzzTarget(name: "idemix-revocation-update") { input in
            let update = try RevocationUpdate(cbor: try CBORDocument(input).root)
            let again = try RevocationUpdate(cbor: try CBORDocument(update.cborEncoded()).root)
            require(again == update, "an update changes when it is written and read")
        },
    ]
}
