#if Client
extension LocalServer {
    /// The name in the certificate.
    static let host = "status.example.test"

    /// A certificate of its own issuer for ``host``, valid from 2020 to 2120.
    static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBjzCCATWgAwIBAgIBATAKBggqhkjOPQQDAjAeMRwwGgYDVQQDDBNzdGF0dXMu
        ZXhhbXBsZS50ZXN0MCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAe
        MRwwGgYDVQQDDBNzdGF0dXMuZXhhbXBsZS50ZXN0MFkwEwYHKoZIzj0CAQYIKoZI
        zj0DAQcDQgAEU/wnumVptr2i9CZTcERklhimrXTvo4uRC+WRopvxGoEmqo31/lZ0
        /pyWJgtLY4FROdzMb8VYRZ7dgJw51ncOz6NiMGAwHgYDVR0RBBcwFYITc3RhdHVz
        LmV4YW1wbGUudGVzdDAPBgNVHRMBAf8EBTADAQH/MA4GA1UdDwEB/wQEAwIChDAd
        BgNVHQ4EFgQU2fjCvq2WcuCjY6O8Xe1rTwsQSIEwCgYIKoZIzj0EAwIDSAAwRQIh
        ANnR1yI6LwHy0IP6xQ5ze/T6Ajxasdljss+LPo+ryR7WAiB08SJq98eh/PT7Zgo1
        Q9kyGuFkCzJdPYdnAhOPhkz3bg==
        -----END CERTIFICATE-----
        """

    /// The key of ``certificate``, which is good for nothing else.
    static let privateKey = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgwyJJjHh1tPnHtGX6
        cZRFigg+H0zoFDff28Rn8blqDDuhRANCAART/Ce6ZWm2vaL0JlNwRGSWGKatdO+j
        i5EL5ZGim/EagSaqjfX+VnT+nJYmC0tjgVE53MxvxVhFnt2AnDnWdw7P
        -----END PRIVATE KEY-----
        """
}
#endif
