internal import CBORKit
internal import CredentialTransport
import MdocKit

extension DeviceRetrievalMethod {
    /// The type number of a socket: `mdoc` in ASCII, far from those of the standard.
    private static let socketType: UInt64 = 0x6d64_6f63

    /// A socket on this machine or network: a method of this library's own, not of the standard.
    ///
    /// It lets two programs present without a radio. Other readers pass it over.
    public static func socket(_ endpoint: SocketEndpoint) -> DeviceRetrievalMethod {
        let options: CBOR =
            switch endpoint {
            case .unix(let path): [0: .text(path)]
            case .tcp(let address, let port): [1: .text(address.description), 2: .unsigned(UInt64(port))]
            }
        return .other(type: socketType, version: 1, options: options)
    }

    /// The address of the socket; nil for any other method.
    public var socketEndpoint: SocketEndpoint? {
        guard case .other(Self.socketType, 1, .map(let options)?) = self else { return nil }
        if case .text(let path)? = options[0] { return .unix(path: path) }
        guard case .text(let text)? = options[1], let address = IPAddress(text),
            case .unsigned(let number)? = options[2], let port = UInt16(exactly: number)
        else { return nil }
        return .tcp(address, port: port)
    }
}
