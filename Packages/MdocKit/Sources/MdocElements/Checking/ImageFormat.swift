import MdocKit

/// The format of an image, recognized by its first bytes.
public enum ImageFormat: String, Hashable, Sendable, CustomStringConvertible {
    /// JPEG (ISO/IEC 10918-1).
    case jpeg = "JPEG"
    /// JPEG 2000 (ISO/IEC 15444-1), as a JP2 file or a bare codestream.
    case jpeg2000 = "JPEG 2000"
    /// PNG, which the standard does not allow.
    case png = "PNG"
    /// GIF, which the standard does not allow.
    case gif = "GIF"
    /// WebP, which the standard does not allow.
    case webP = "WebP"

    /// Recognizes the format by the first bytes; nil for an unknown format.
    public init?(sniffing image: some Collection<UInt8>) {
        let start = Array(image.prefix(12))
        let found = Self.signatures.first { start.starts(with: $0.bytes) }
        if let found {
            self = found.format
        } else if start.count == 12, start.starts(with: "RIFF".utf8), start.suffix(4).elementsEqual("WEBP".utf8) {
            self = .webP
        } else {
            return nil
        }
    }

    /// Indicates that ISO/IEC 18013-5 allows the format for portraits and signatures.
    public var isAllowed: Bool { self == .jpeg || self == .jpeg2000 }

    /// The name of the format.
    public var description: String { rawValue }

    private static let signatures: [(format: ImageFormat, bytes: [UInt8])] = [
        (.jpeg, [0xff, 0xd8, 0xff]),
        (.jpeg2000, [0, 0, 0, 0x0c, 0x6a, 0x50, 0x20, 0x20, 0x0d, 0x0a, 0x87, 0x0a]),
        (.jpeg2000, [0xff, 0x4f, 0xff, 0x51]),
        (.png, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
        (.gif, Array("GIF8".utf8)),
    ]
}
