import CredentialTransport
import MdocKit

extension SocketEndpoint: LosslessStringConvertible {
    /// Reads the path of a Unix socket, recognized by a `/`, or an IP address and a port: `127.0.0.1:7000`,
    /// `[::1]:7000`.
    public init?(_ description: String) {
        if description.contains("/") {
            self = .unix(path: description)
            return
        }
        guard let colon = description.lastIndex(of: ":"),
            let port = UInt16(description[description.index(after: colon)...])
        else { return nil }
        var host = description[..<colon]
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        if isBracketed { host = host.dropFirst().dropLast() }
        switch IPAddress(host) {
        case .v4(let bits)? where !isBracketed: self = .tcp(.v4(bits), port: port)
        case .v6(let bits)? where isBracketed: self = .tcp(.v6(bits), port: port)
        default: return nil
        }
    }

    /// The endpoint as ``init(_:)`` reads it.
    public var description: String {
        switch self {
        case .unix(let path): path.contains("/") ? path : "./\(path)"
        case .tcp(.v4(let bits), let port): "\(IPAddress.v4(bits)):\(port)"
        case .tcp(.v6(let bits), let port): "[\(IPAddress.v6(bits))]:\(port)"
        }
    }
}
