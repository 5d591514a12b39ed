#if Client
import AsyncHTTPClient
import NIOCore
import NIOPosix
import NIOSSL

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

extension TransportError {
    /// The error for one of async-http-client or the packages below it.
    init(exchanging error: any Error, with request: HTTPTransportRequest) {
        if let error = error as? TransportError {
            self = error
            return
        }
        let (code, message) = Self.meaning(of: error)
        self.init(code, message, path: [request.url.description], cause: error)
    }

    private static func meaning(of error: any Error) -> (Code, String) {
        switch error {
        case is CancellationError:
            (.cancelled, "the task was cancelled")
        case let error as HTTPClientError:
            meaning(of: error)
        case ChannelError.connectTimeout:
            (.connectionFailed, "no connection in time")
        case is NIOConnectionError:
            (.connectionFailed, "no connection")
        case let error as IOError where refusals.contains(error.errnoCode):
            (.connectionFailed, "no connection")
        case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError:
            (.tlsFailed, "TLS with the host could not be set up")
        default:
            (.exchangeFailed, "the exchange broke off")
        }
    }

    private static func meaning(of error: HTTPClientError) -> (Code, String) {
        switch error {
        case .cancelled: (.cancelled, "the task was cancelled")
        case .deadlineExceeded: (.timedOut, "no answer in time")
        case .connectTimeout: (.connectionFailed, "no connection in time")
        case .tlsHandshakeTimeout: (.connectionFailed, "no connection with TLS in time")
        // Nothing of the request was sent.
        case .proxyAuthenticationRequired: (.connectionFailed, "the proxy demands another authorization")
        case .invalidProxyResponse: (.connectionFailed, "the proxy refuses the connection")
        default: (.exchangeFailed, "the exchange broke off")
        }
    }

    /// The system's errors when a connection cannot be made, and never later.
    private static let refusals: Set<Int32> = [ECONNREFUSED, EHOSTUNREACH, ENETUNREACH, EADDRNOTAVAIL, EAFNOSUPPORT]
}
#endif
