import CryptoCore
import Foundation
import MdocKit
import MdocTrust
import StatusListKit

extension FuzzTarget {
    /// The parsers of MdocKit for lists: of authorities, and of what is revoked.
    package static let mdocTrust = [
        FuzzTarget(name: "mdoc-vical") { bytes in
            let list = try VICAL(decoding: bytes, options: .deployed)
            require(list.encodedBytes == bytes[...], "the received bytes are kept")
            require(list.verify(anchors: [], at: time).verified == nil, "without anchors nothing is verified")
        },
        FuzzTarget(name: "mdoc-rical") { bytes in
            let list = try RICAL(decoding: bytes, options: .deployed)
            require(list.encodedBytes == bytes[...], "the received bytes are kept")
            require(list.verify(anchors: [], at: time).verified == nil, "without anchors nothing is verified")
        },
        FuzzTarget(name: "mdoc-identifier-list-token") { bytes in
            let token = try IdentifierListToken(cwt: bytes)
            require(token.encodedBytes == bytes, "the received bytes are kept")
            require(
                token.verify(for: "u", anchors: [], at: time).verified == nil,
                "without anchors nothing is verified"
            )
        },
        FuzzTarget(name: "mdoc-identifier-list-snapshot") { bytes in
            let snapshot = try IdentifierListSnapshot(decoding: bytes)
            let again = try IdentifierListSnapshot(decoding: snapshot.encoded())
            require(again.encoded() == snapshot.encoded(), "what is written reads back")
        },
    ]

    private static let time = Date(timeIntervalSince1970: 1_780_000_000)
}
