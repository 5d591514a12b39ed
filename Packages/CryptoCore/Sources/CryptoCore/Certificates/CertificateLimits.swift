/// Limits for the cost of a certificate.
public struct CertificateLimits: Hashable, Sendable {
    /// The largest encoding in bytes.
    ///
    /// Certificates for mdocs and requests take 400 to 2000.
    public var maximumSize: Int

    /// The largest number of extensions.
    public var maximumExtensionCount: Int

    /// Sets the limits.
    public init(maximumSize: Int = 16 * 1024, maximumExtensionCount: Int = 64) {
        self.maximumSize = maximumSize
        self.maximumExtensionCount = maximumExtensionCount
    }

    /// 16 KiB and 64 extensions.
    public static let `default` = CertificateLimits()
}
