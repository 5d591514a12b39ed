extension FuzzTarget {
    /// Every target, layer by layer.
    static let all: [FuzzTarget] = json + keys + certificates + cose + mdoc + idemixCore
}
