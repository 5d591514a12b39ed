extension FuzzTarget {
    /// Every target, layer by layer.
    static let all: [FuzzTarget] = cbor + json + keys + certificates + cose + mdoc + idemixCore + transport
}
