import COSEKit

extension FuzzTarget {
    /// The parsers of COSEKit.
    package static let cose = [
        FuzzTarget(name: "cose-message") { bytes in
            let message = try COSETaggedMessage(decoding: bytes)
            try? AnyStructure.explore(message)
            let again = try COSETaggedMessage(decoding: message.encoded())
            require(again.encoded() == message.encoded(), "what is written reads back")
        },
        FuzzTarget(name: "cose-sign1") { bytes in
            let message = try COSESign1(decoding: bytes)
            let again = try COSESign1(decoding: message.encoded(tagged: false))
            require(again.encoded() == message.encoded(), "with and without its tag it is the same message")
            for countersignature in try message.countersignatures() {
                _ = try message.toBeCountersigned(signer: countersignature.headers)
            }
        },
        FuzzTarget(name: "cose-key") { bytes in
            let key = try COSEKey(decoding: bytes)
            try? AnyStructure.explore(bytes)
            require(key.encoded() == bytes, "what was received is written as it was")
            let written = try COSEKey(publicKey: key.publicKey())
            require(try written.publicKey() == key.publicKey(), "what is written reads back")
            require(try written.thumbprint() == key.thumbprint(), "the form of a key does not change its thumbprint")
        },
        FuzzTarget(name: "cose-key-set") { bytes in
            let set = try COSEKeySet(decoding: bytes)
            guard !set.keys.isEmpty else { return }
            let again = try COSEKeySet(decoding: set.encoded())
            require(again.keys.count == set.keys.count, "what is written reads back")
        },
        FuzzTarget(name: "cwt-claims") { bytes in
            let claims = try CWTClaims(decoding: bytes[...])
            require(claims.encoded() == bytes, "what was received is written as it was")
            _ = CWTClaimsPolicy().verify(claims, at: FuzzKeys.time)
            _ = try claims.confirmation()
        },
    ]
}
