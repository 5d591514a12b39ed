@_spi(Layers) import JOSEKit
import JSONKit

extension FuzzTarget {
    /// The parsers of JOSEKit.
    package static let jose = [
        FuzzTarget(name: "jws-compact") { bytes in
            let message = try JWS(compact: bytes)
            AnyJOSE.explore(message)
            let written = try message.compactSerialization()
            require(written.utf8.elementsEqual(bytes), "what was received is written as it was")
        },
        FuzzTarget(name: "jws-json") { bytes in
            let message = try JWS(json: bytes)
            AnyJOSE.explore(message)
            let general = try message.generalSerialization()
            let again = try JWS(json: general)
            require(try again.generalSerialization() == general, "what is written reads back")
            // Unreadable signatures are not written.
            let readable = message.signatures.indices.filter { message.signatures[$0].fault == nil }
            require(again.signatures.count == readable.count, "every readable signature is written")
            for (index, position) in zip(readable, again.signatures.indices) {
                require(
                    (try? message.signingInput(signatureAt: index)) == (try? again.signingInput(signatureAt: position)),
                    "it covers the same bytes"
                )
            }
        },
        FuzzTarget(name: "jwe-compact") { bytes in
            let message = try JWE(compact: bytes)
            AnyJOSE.explore(message)
            let written = try message.compactSerialization()
            require(written.utf8.elementsEqual(bytes), "what was received is written as it was")
        },
        FuzzTarget(name: "jwe-json") { bytes in
            let message = try JWE(json: bytes)
            AnyJOSE.explore(message)
            let general = message.generalSerialization()
            require(try JWE(json: general).generalSerialization() == general, "what is written reads back")
        },
        FuzzTarget(name: "jwk") { bytes in
            let key = try JWK(decoding: bytes)
            AnyJOSE.explore(key)
            let again = try JWK(json: .object(key.membersWithSecrets()))
            require(again.thumbprint() == key.thumbprint(), "what is written reads back")
            require(key.isSecret || key.encoded() == again.encoded(), "so do all its members")
            guard let open = key.publicJWK else { return }
            let plain = try JWK(open.publicKey())
            require(plain.thumbprint() == key.thumbprint(), "the form of a key does not change its thumbprint")
        },
        FuzzTarget(name: "jwk-set") { bytes in
            let set = try JWKSet(decoding: bytes)
            let again = try JWKSet(decoding: set.encoded())
            require(again.ignored.isEmpty, "what is written reads back")
            require(again.keys.count == set.keys.count(where: { $0.publicJWK != nil }), "symmetric keys are left out")
        },
        FuzzTarget(name: "jwt-claims") { bytes in
            let claims = try JWTClaims(decoding: bytes)
            AnyJOSE.explore(claims)
            require(
                try JWTClaims(decoding: claims.encoded()).encoded() == claims.encoded(),
                "what is written reads back"
            )
        },
        FuzzTarget(name: "base64url") { bytes in
            let decoded = try Base64URL.decode(bytes)
            require(Base64URL.encodedBytes(decoded) == bytes, "one text stands for each sequence of bytes")
        },
        FuzzTarget(name: "deflate") { bytes in
            let limit = 100_000
            for format in [Deflate.Format.raw, .zlib, .gzip] {
                guard let content = try? Deflate.decompress(bytes, format: format, maximumSize: limit) else { continue }
                require(content.count <= limit, "the limit holds")
                let compressed = try Deflate.compress(content, format: format)
                let again = try Deflate.decompress(compressed, format: format, maximumSize: limit)
                require(again == content, "what is compressed comes back")
            }
        },
    ]
}
