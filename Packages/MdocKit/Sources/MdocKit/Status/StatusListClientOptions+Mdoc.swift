public import StatusListKit

extension StatusListClientOptions {
    /// Options for the lists of mdocs: the general ones, with up to five redirects (ISO/IEC 18013-5 allows several).
    public static let mdoc = StatusListClientOptions(redirects: 5)
}
