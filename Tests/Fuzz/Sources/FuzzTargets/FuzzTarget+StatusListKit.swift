import CBORKit
import JOSEKit
import JSONKit
import StatusListKit

extension FuzzTarget {
    /// The parsers of StatusListKit.
    package static let statusList = [
        FuzzTarget(name: "status-list") { bytes in
            guard let first = bytes.first, let bits = StatusList.Bits(rawValue: Int(first)) else { return }
            let limits = StatusListLimits(inflatedSize: 100_000)
            let list = try StatusList(decompressing: bytes.dropFirst(), bits: bits, limits: limits)
            require(list.bytes.count <= 100_000, "a list stays within its limit")
            let again = try StatusList(decompressing: list.compressed(level: .fastest)[...], bits: bits, limits: limits)
            require(again == list, "what is compressed inflates to the same")
            guard list.count > 0 else { return }
            _ = try list.status(at: list.count - 1)
        },
        FuzzTarget(name: "status-list-claim") { bytes in
            if let view = try? CBORDocument(bytes).root, let claim = try? StatusListClaim(cbor: view, limits: .fuzzing)
            {
                require(
                    try StatusListClaim(cbor: CBORDocument(claim.cbor().encoded()).root) == claim,
                    "CBOR reads back"
                )
            }
            if let value = try? JSONValue(parsing: bytes),
                let claim = try? StatusListClaim(json: value, limits: .fuzzing)
            {
                require(try StatusListClaim(json: claim.json()) == claim, "JSON reads back")
            }
        },
        FuzzTarget(name: "status-reference") { bytes in
            if let view = try? CBORDocument(bytes).root, let reference = try? StatusReference(status: view) {
                let again = try StatusReference(status: CBORDocument(reference.cbor.encoded()).root)
                require(again == reference, "CBOR reads back")
            }
            if let value = try? JSONValue(parsing: bytes), let reference = try? StatusReference(status: value) {
                require(try StatusReference(status: reference.json) == reference, "JSON reads back")
            }
        },
        FuzzTarget(name: "status-list-token") { bytes in
            for form in StatusListToken.Form.allCases {
                guard let token = try? StatusListToken(bytes, form: form) else { continue }
                require(token.encodedBytes == bytes, "what was received is kept")
                _ = try token.unverifiedKeyID()
            }
        },
        FuzzTarget(name: "status-list-snapshot") { bytes in
            let snapshot = try StatusListSnapshot(decoding: bytes)
            let again = try StatusListSnapshot(decoding: snapshot.encoded())
            require(again.encoded() == snapshot.encoded(), "what is written reads back")
        },
        FuzzTarget(name: "status-list-aggregation") { bytes in
            let aggregation = try StatusListAggregation(json: bytes)
            require(try StatusListAggregation(json: aggregation.encoded()).uris == aggregation.uris, "JSON reads back")
        },
    ]
}

extension StatusListLimits {
    /// Small lists, so that the fuzzer spends its time on parsing.
    fileprivate static let fuzzing = StatusListLimits(inflatedSize: 100_000)
}
